// SPDX-License-Identifier: Apache-2.0
#include "slice/Unwritten.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

namespace forerun::slicer {

namespace {

/// Whether an initial value was left out.
bool leaveOutValues(const clang::DeclStmt &declarations, Slice &slice) {
  bool result = false;
  for (const clang::Decl *each : declarations.decls())
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(each)) {
      result |= slice.initialisers.erase(variable->getCanonicalDecl()) > 0;
      result |= slice.extractedInits.erase(variable->getCanonicalDecl()) > 0;
    }
  return result;
}

/// Whether pre-execution ends there.
bool leaveOut(const clang::Stmt &stmt, int times, Slice &slice) {
  if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(&stmt)) {
    const bool hasValues = leaveOutValues(*declarations, slice);
    if (times == 1 && hasValues)
      return false;
    slice.unwritten.insert(&stmt);
    return true;
  }
  if (!llvm::isa<clang::Expr>(stmt) || times > 1)
    return true;
  slice.statements.erase(&stmt);
  slice.extracts.erase(&stmt);
  return false;
}

} // namespace

void leaveOutUnwritten(const Program &program, const Closure &closure, Slice &slice,
                       std::vector<Note> &notes) {
  std::map<const clang::Stmt *, bool> areEnds;
  for (const auto &[stmt, times] : closure.unwritten())
    areEnds[stmt] = leaveOut(*stmt, times, slice);
  for (const Node &node : program.nodes) {
    const auto isEnd = areEnds.find(node.stmt);
    if (isEnd == areEnds.end())
      continue;
    if (isEnd->second)
      slice.ends.insert(node.stmt);
    notes.push_back({node.stmt, node.function,
                     isEnd->second ? "pre-execution ends here: no text can be written for this"
                                   : "left out of pre-execution: no text can be written for this"});
    areEnds.erase(isEnd); // several nodes may be of one statement
  }
}

} // namespace forerun::slicer

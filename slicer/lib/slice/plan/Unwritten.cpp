// SPDX-License-Identifier: Apache-2.0
#include "slice/plan/Planner.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

namespace forerun::slicer {

namespace {

class Leaver : Planner {
public:
  explicit Leaver(const Planner &shared) : Planner(shared) {}

  void leaveOutAll() const {
    std::map<const clang::Stmt *, bool> areEnds;
    for (const auto &[stmt, times] : closure_.unwritten())
      areEnds[stmt] = endsAt(*stmt, times);
    for (const Node &node : program_.nodes) {
      const auto isEnd = areEnds.extract(node.stmt); // several nodes may be of one statement
      if (isEnd && isEnd.mapped())
        endAt(node.stmt, node.function, "no text can be written for this");
      else if (isEnd)
        note(node.stmt, node.function,
             "left out of pre-execution: no text can be written for this");
    }
  }

private:
  /// Leaves the statement out. Whether pre-execution ends there.
  bool endsAt(const clang::Stmt &stmt, int times) const {
    if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(&stmt)) {
      const bool hasValues = leaveOutValues(*declarations);
      if (times == 1 && hasValues)
        return false;
      slice_.unwritten.insert(&stmt);
      return true;
    }
    if (!llvm::isa<clang::Expr>(stmt) || times > 1)
      return true;
    slice_.statements.erase(&stmt);
    slice_.extracts.erase(&stmt);
    return false;
  }

  /// Whether an initial value was left out.
  bool leaveOutValues(const clang::DeclStmt &declarations) const {
    bool result = false;
    for (const clang::Decl *each : declarations.decls())
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(each)) {
        result |= slice_.initialisers.erase(variable->getCanonicalDecl()) > 0;
        result |= slice_.extractedInits.erase(variable->getCanonicalDecl()) > 0;
      }
    return result;
  }
};

} // namespace

void leaveOutUnwritten(const Planner &shared) { Leaver(shared).leaveOutAll(); }

} // namespace forerun::slicer

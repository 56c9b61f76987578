// SPDX-License-Identifier: Apache-2.0
#include "slice/forwarding/Editable.h"

#include "input/Places.h"
#include "slice/needs/HandedStatements.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/SourceManager.h>

namespace forerun::slicer {

using clang::dyn_cast;
using clang::isa;

namespace {

/// Whether the range begins and ends in the main source itself; its parts may be macros.
bool isWritten(clang::SourceRange range, const clang::SourceManager &sources) {
  return range.getBegin().isFileID() && sources.isInMainFile(range.getBegin()) &&
         sources.isInMainFile(sources.getExpansionLoc(range.getEnd()));
}

} // namespace

Editable::Editable(const Program &program) {
  for (const Function &each : program.functions)
    if (each.definition) {
      ast_ = &each.definition->getASTContext();
      sources_ = &ast_->getSourceManager();
      traverse(each.definition->getBody());
    }
}

/// OpenMP accepts only loops of its own form, and other threads run them.
bool Editable::enterStmt(clang::Stmt &node) {
  if (isa<clang::OMPExecutableDirective, clang::StmtExpr>(node))
    return false;
  const auto *block = dyn_cast<clang::CompoundStmt>(&node);
  if (block && isWritten(block->getSourceRange(), *sources_))
    for (const clang::Stmt *each : block->body())
      if (isWritten(each->getSourceRange(), *sources_))
        places.insert(each);
  if (!isWritten(node.getSourceRange(), *sources_))
    return true;
  if (const auto *expr = dyn_cast<clang::Expr>(&node);
      expr && stretchOf(expr->getSourceRange(), *ast_))
    expressions.insert(expr);
  if (const clang::Expr *condition = conditionOf(&node);
      condition && stretchOf(condition->getSourceRange(), *ast_))
    conditional.insert(&node);
  for (const clang::Stmt *each : branchesOf(&node))
    if (each && isa<clang::Expr>(each) && isWritten(each->getSourceRange(), *sources_))
      places.insert(each);
  return true;
}

} // namespace forerun::slicer

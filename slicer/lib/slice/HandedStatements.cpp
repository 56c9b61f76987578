// SPDX-License-Identifier: Apache-2.0
#include "slice/HandedStatements.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace forerun::slicer {

using clang::dyn_cast;

const clang::Expr *conditionOf(const clang::Stmt *stmt) {
  if (const auto *branch = dyn_cast<clang::IfStmt>(stmt))
    return branch->getCond();
  if (const auto *loop = dyn_cast<clang::WhileStmt>(stmt))
    return loop->getCond();
  if (const auto *loop = dyn_cast<clang::DoStmt>(stmt))
    return loop->getCond();
  if (const auto *loop = dyn_cast<clang::ForStmt>(stmt))
    return loop->getCond();
  return nullptr;
}

const clang::Expr *handedExpr(const clang::Stmt *stmt) {
  const auto *operand = dyn_cast<clang::Expr>(stmt);
  return operand ? operand : conditionOf(stmt);
}

std::array<const clang::Stmt *, 2> branchesOf(const clang::Stmt *stmt) {
  if (const auto *branch = dyn_cast<clang::IfStmt>(stmt))
    return {branch->getThen(), branch->getElse()};
  if (const auto *loop = dyn_cast<clang::WhileStmt>(stmt))
    return {loop->getBody(), nullptr};
  if (const auto *loop = dyn_cast<clang::DoStmt>(stmt))
    return {loop->getBody(), nullptr};
  if (const auto *loop = dyn_cast<clang::ForStmt>(stmt))
    return {loop->getBody(), nullptr};
  return {nullptr, nullptr};
}

const clang::VarDecl *assignedBy(const clang::Stmt *stmt) {
  const clang::VarDecl *variable = nullptr;
  if (const auto *declaration = dyn_cast<clang::DeclStmt>(stmt)) {
    if (declaration->isSingleDecl())
      variable = dyn_cast<clang::VarDecl>(declaration->getSingleDecl());
    if (variable && (!variable->hasLocalStorage() || !variable->getInit()))
      return nullptr;
  } else if (const auto *assignment = dyn_cast<clang::BinaryOperator>(stmt);
             assignment && assignment->isAssignmentOp()) {
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(assignment->getLHS()->IgnoreParens()))
      variable = dyn_cast<clang::VarDecl>(name->getDecl());
  }
  return variable ? variable->getCanonicalDecl() : nullptr;
}

} // namespace forerun::slicer

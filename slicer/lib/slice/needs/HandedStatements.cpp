// SPDX-License-Identifier: Apache-2.0
#include "slice/needs/HandedStatements.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <llvm/ADT/TypeSwitch.h>

namespace forerun::slicer {

using clang::dyn_cast;

const clang::Expr *conditionOf(const clang::Stmt *stmt) {
  return llvm::TypeSwitch<const clang::Stmt *, const clang::Expr *>(stmt)
      .Case<clang::IfStmt, clang::WhileStmt, clang::DoStmt, clang::ForStmt>(
          [](const auto *each) { return each->getCond(); })
      .Default(static_cast<const clang::Expr *>(nullptr));
}

const clang::Expr *handedExpr(const clang::Stmt *stmt) {
  const auto *operand = dyn_cast<clang::Expr>(stmt);
  return operand ? operand : conditionOf(stmt);
}

std::array<const clang::Stmt *, 2> branchesOf(const clang::Stmt *stmt) {
  using Branches = std::array<const clang::Stmt *, 2>;
  return llvm::TypeSwitch<const clang::Stmt *, Branches>(stmt)
      .Case<clang::IfStmt>(
          [](const auto *each) { return Branches{each->getThen(), each->getElse()}; })
      .Case<clang::WhileStmt, clang::DoStmt, clang::ForStmt>(
          [](const auto *each) { return Branches{each->getBody(), nullptr}; })
      .Default(Branches{});
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtOpenMP.h>
#include <vector>

/// \file
/// The kinds of statements that the slicer knows, in one place. Code that treats kinds differently
/// uses visitKind: a kind without a case does not compile, and an unknown kind has a case
/// of its own, with its name.

namespace forerun::slicer {

/// A statement of a kind that the slicer does not know (asm, for one).
struct UnknownKind {
  const clang::Stmt *stmt;
  llvm::StringRef name() const { return stmt->getStmtClassName(); }
};

/// Several functions in one overload set.
template <class... Cases> struct Kinds : Cases... {
  using Cases::operator()...;
};
template <class... Cases> Kinds(Cases...) -> Kinds<Cases...>;

/// Calls the case for the kind of `stmt` and returns its result.
template <class Result, class Cases> Result visitKind(const clang::Stmt *stmt, const Cases &cases) {
  using clang::Stmt;
  using llvm::cast;
  switch (stmt->getStmtClass()) {
  case Stmt::NullStmtClass:
    return cases(cast<clang::NullStmt>(stmt));
  case Stmt::CompoundStmtClass:
    return cases(cast<clang::CompoundStmt>(stmt));
  case Stmt::DeclStmtClass:
    return cases(cast<clang::DeclStmt>(stmt));
  case Stmt::AttributedStmtClass:
    return cases(cast<clang::AttributedStmt>(stmt));
  case Stmt::LabelStmtClass:
    return cases(cast<clang::LabelStmt>(stmt));
  case Stmt::IfStmtClass:
    return cases(cast<clang::IfStmt>(stmt));
  case Stmt::WhileStmtClass:
    return cases(cast<clang::WhileStmt>(stmt));
  case Stmt::DoStmtClass:
    return cases(cast<clang::DoStmt>(stmt));
  case Stmt::ForStmtClass:
    return cases(cast<clang::ForStmt>(stmt));
  case Stmt::SwitchStmtClass:
    return cases(cast<clang::SwitchStmt>(stmt));
  case Stmt::CaseStmtClass:
  case Stmt::DefaultStmtClass:
    return cases(cast<clang::SwitchCase>(stmt));
  case Stmt::ReturnStmtClass:
    return cases(cast<clang::ReturnStmt>(stmt));
  case Stmt::BreakStmtClass:
    return cases(cast<clang::BreakStmt>(stmt));
  case Stmt::ContinueStmtClass:
    return cases(cast<clang::ContinueStmt>(stmt));
  case Stmt::GotoStmtClass:
    return cases(cast<clang::GotoStmt>(stmt));
  case Stmt::IndirectGotoStmtClass:
    return cases(cast<clang::IndirectGotoStmt>(stmt));
  default:
    if (const auto *expr = llvm::dyn_cast<clang::Expr>(stmt))
      return cases(expr);
    if (const auto *region = llvm::dyn_cast<clang::OMPExecutableDirective>(stmt))
      return cases(region);
    return cases(UnknownKind{stmt});
  }
}

bool isKnownKind(const clang::Stmt *stmt);

/// The statements directly in another one, in order; null for a missing else. Expressions and the
/// parts in the parentheses of a `for` do not count.
std::vector<const clang::Stmt *> statementsIn(const clang::Stmt *stmt);

} // namespace forerun::slicer

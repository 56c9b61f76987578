// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace clang {
class Expr;
class Stmt;
class VarDecl;
} // namespace clang

/// \file
/// What the main thread can hand over the outcome of.

namespace forerun::slicer {

/// The condition of an if or a loop; null if it has none, or is another statement.
const clang::Expr *conditionOf(const clang::Stmt *stmt);
/// The same, or the operand of a condition itself.
const clang::Expr *handedExpr(const clang::Stmt *stmt);
/// The one variable that the statement assigns to as a whole, or declares with an initialiser;
/// null if it is another statement.
const clang::VarDecl *assignedBy(const clang::Stmt *stmt);
/// The branches of an if, or the body of a loop; one that is missing is null.
std::array<const clang::Stmt *, 2> branchesOf(const clang::Stmt *stmt);

} // namespace forerun::slicer

// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_HANDEDSTATEMENTS_H
#define FORERUN_SLICER_HANDEDSTATEMENTS_H

#include <array>
#include <map>
#include <optional>
#include <set>

namespace clang {
class Expr;
class Stmt;
class VarDecl;
} // namespace clang

namespace forerun::slicer {

/// Statements whose outcome the main thread hands over at each execution: whether the condition of
/// an if or a loop holds, or the number that an assignment or a declaration gives. What they are
/// computed from is then not needed.
using HandedStatements = std::set<const clang::Stmt *>;
/// Of an early exit, the `if` or the operand of the loop's condition that decides on it, and how
/// that comes out where the loop goes on; nothing if nothing else ends the loop.
using HandedExits = std::map<const clang::Stmt *, std::optional<bool>>;

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

#endif

// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_HANDEDSTATEMENTS_H
#define FORERUN_SLICER_HANDEDSTATEMENTS_H

#include <set>

namespace clang {
class Expr;
class Stmt;
class VarDecl;
} // namespace clang

namespace forerun::slicer {

/// Statements of which the main thread hands over, each time, what comes of them: how the condition
/// of an if or a loop comes out, or the number that an assignment or a declaration gives. What they
/// are computed from is not needed then.
using HandedStatements = std::set<const clang::Stmt *>;

/// The condition of an if, or of a loop; null: it has none, or is something else.
const clang::Expr *conditionOf(const clang::Stmt *stmt);
/// The one variable that the statement assigns to as a whole, or declares with an initialiser;
/// null: it is something else.
const clang::VarDecl *assignedBy(const clang::Stmt *stmt);

} // namespace forerun::slicer

#endif

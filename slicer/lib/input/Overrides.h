// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/Unit.h"

#include <map>
#include <optional>
#include <set>

namespace clang {
class CallExpr;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace forerun::slicer {

/// What the pragmas of a program ask for, in terms of its AST. Statements of `forwarded` and
/// `launch` are children of a block in a unit's main file, so that text can be inserted before and
/// after them.
struct Overrides {
  /// The pre-execution thread starts before this statement, and nowhere else.
  const clang::Stmt *launch = nullptr;
  const clang::FunctionDecl *launchIn = nullptr;
  /// Variables that the main thread hands over after a statement.
  std::map<const clang::Stmt *, std::vector<const clang::VarDecl *>> forwarded;
  /// All calls in statements and functions that a pragma says to ignore.
  std::set<const clang::CallExpr *> ignored;
};

/// Empty if a pragma is misplaced; it has then been reported on stderr with its location.
std::optional<Overrides> findOverrides(const Units &units);

} // namespace forerun::slicer

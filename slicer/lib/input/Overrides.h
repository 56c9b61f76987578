// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_OVERRIDES_H
#define FORERUN_SLICER_OVERRIDES_H

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
/// behind them.
struct Overrides {
  /// Before this statement the pre-execution thread starts, and in no other place.
  const clang::Stmt *launch = nullptr;
  const clang::FunctionDecl *launchIn = nullptr;
  /// Variables that the main thread hands over behind a statement.
  std::map<const clang::Stmt *, std::vector<const clang::VarDecl *>> forwarded;
  /// All calls in what a pragma says is to be ignored.
  std::set<const clang::CallExpr *> ignored;
};

/// Nothing after a message on stderr, if a pragma does not stand where it means something.
std::optional<Overrides> findOverrides(const Units &units);

} // namespace forerun::slicer

#endif

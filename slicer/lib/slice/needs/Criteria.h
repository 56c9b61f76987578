// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/Effects.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace forerun::slicer {

/// Statements whose outcome the main thread hands over at each execution: whether the condition of
/// an if or a loop holds, or the number that an assignment or a declaration gives. What they are
/// computed from is then not needed.
using HandedStatements = std::set<const clang::Stmt *>;
/// Of an early exit, the `if` or the operand of the loop's condition that decides on it, and how
/// that comes out where the loop goes on; nothing if nothing else ends the loop.
using HandedExits = std::map<const clang::Stmt *, std::optional<bool>>;

/// The options of a slice.
struct ClosureOptions {
  bool followExits = false; ///< no early exit is cut
  /// An array may keep its old contents across a read, too, since the read may be short.
  bool allowShortReads = false;
  bool askClocks =
      false; ///< in a loop that reads, the pre-execution thread asks for the time itself
  /// Calls of MPI-IO that are not announced, since no text can be written for them.
  std::set<const clang::CallExpr *> leftOut;
  std::set<const clang::CallExpr *> unwanted; ///< those of them that the user wants left out
  /// Calls for which no text can be written: pre-execution ends at one that it cannot do without.
  std::set<const clang::CallExpr *> unwritable;
  /// Statements that no text can be written for; first their values are left out (of a condition, the
  /// pre-execution ends there), then the statements themselves (Unwritten.h).
  std::map<const clang::Stmt *, int> unwritten;
  /// Calls of MPI-IO that are announced although nothing needs them: a macro makes them together
  /// with others.
  std::set<const clang::CallExpr *> forced;
  HandedStatements handed; ///< the main thread hands over the outcome of these
  HandedExits exits;       ///< those of them that are early exits
  Budget budget;           ///< once it is over, the slice is empty
};

/// The slicing criteria: the calls of MPI-IO that are announced. The others concern files that
/// nobody reads.
struct Criteria {
  std::vector<CallId> calls;
  std::set<FunctionId> functions; ///< that contain criteria, or lead to them
  std::set<NodeId> around;        ///< nodes that enclose criteria, or calls that lead to them
  /// Not criteria: what these calls ask of a file depends only on calls that are.
  std::set<CallId> answerable;

  [[nodiscard]] bool has(CallId call) const;
  /// Whether the call is of such a function.
  [[nodiscard]] bool areLedToBy(const Call &call) const;
};

/// All reads, and the other calls on the files that are read.
Criteria findCriteria(const Program &program, const PointsTo &pointsTo, const Effects &effects,
                      const ClosureOptions &options);

} // namespace forerun::slicer

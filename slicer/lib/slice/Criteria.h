// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_CRITERIA_H
#define FORERUN_SLICER_CRITERIA_H

#include "analysis/Effects.h"
#include "slice/HandedStatements.h"

#include <set>
#include <vector>

namespace forerun::slicer {

/// What a slice is asked for.
struct ClosureOptions {
  bool followExits = false; ///< no early exit is cut
  /// An array keeps its old contents across a read too, in case the read is short.
  bool allowShortReads = false;
  bool askClocks =
      false; ///< what the time is in a loop that reads the pre-execution thread asks itself
  /// Calls of MPI-IO that are not announced, since no text can be written for them.
  std::set<const clang::CallExpr *> leftOut;
  /// Calls for which no text can be written: pre-execution ends at one that it cannot do without.
  std::set<const clang::CallExpr *> unwritable;
  /// Calls of MPI-IO that are announced although nothing needs them: a macro makes them together
  /// with others.
  std::set<const clang::CallExpr *> forced;
  HandedStatements handed; ///< the main thread hands over what comes of these
  Deadline deadline;       ///< when it is over nothing is in the slice
};

/// The slicing criteria: the calls of MPI-IO that are announced. The others concern files that
/// nobody reads.
struct Criteria {
  std::vector<CallId> calls;
  std::set<FunctionId> functions; ///< in which criteria lie, or in what they call

  [[nodiscard]] bool has(CallId call) const;
};

/// All reads, and what else is done with the files that are read.
Criteria findCriteria(const Program &program, const PointsTo &pointsTo, const Effects &effects,
                      const ClosureOptions &options);

} // namespace forerun::slicer

#endif

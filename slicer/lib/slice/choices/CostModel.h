// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/ProcessCounts.h"
#include "slice/choices/Repetition.h"
#include "slice/needs/Closure.h"

namespace forerun::slicer {

/// What the slice costs, but for the statements.
Cost costOf(const Closure &closure);

/// Tells what slices of one program cost.
class CostModel {
public:
  /// \p leanCalls: calls of lean clones.
  explicit CostModel(const ClosureInput &input, const std::set<CallId> &leanCalls = {})
      : repetition(input, leanCalls), input_(input), processCounts_(input.program) {}

  /// \p lean: what is in the lean clones; null if there are none.
  [[nodiscard]] Cost of(const Kept &kept, const Kept *lean = nullptr) const;

  const Repetition repetition;

private:
  void addCalls(const Kept &kept, const Kept *lean, Cost &cost) const;
  void addLoops(const Kept &kept, const Kept *lean, Cost &cost) const;

  const ClosureInput &input_;
  const ProcessCounts processCounts_;
};

} // namespace forerun::slicer

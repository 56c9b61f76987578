// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slice/plan/Planner.h"

#include <optional>

namespace forerun::slicer {

/// Plans of calls that the pre-execution thread does not make: it receives what the main thread
/// forwards, or what the other processes' pre-execution threads send.
class Receives : Planner {
public:
  explicit Receives(const Planner &shared);

  /// It forwards and completes nothing if nothing is needed. Empty if what is needed cannot be handed
  /// over.
  std::optional<CallPlan::Receive> plan(CallId call) const;

private:
  bool addResult(CallId call, std::vector<Forwarded> &forwarded) const;
  bool addOutputs(CallId call, std::vector<Forwarded> &forwarded) const;
  std::optional<Forwarded> output(CallId call, int index) const;
  bool hasEffects(const Call &call) const;
  static void exchange(const Call &call, CallPlan::Receive &plan);

  /// Results of non-blocking calls are needed: calls that complete requests have to hand them over.
  bool hasStarts_ = false;
  bool areFreed_ = false; ///< requests may be freed before they are known to have completed
};

} // namespace forerun::slicer

// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_RECEIVES_H
#define FORERUN_SLICER_RECEIVES_H

#include "slice/Closure.h"
#include "slice/Slice.h"

#include <optional>

namespace clang {
class ASTContext;
} // namespace clang

namespace forerun::slicer {

/// Plans of calls that the pre-execution thread does not make: it receives what the main thread
/// forwards, or what the other processes' pre-execution threads send.
class Receives {
public:
  Receives(const Program &program, const PointsTo &pointsTo, const Closure &closure);

  /// Fills `plan`; the action stays Gone if nothing is needed. False: what is needed cannot be
  /// handed over.
  bool plan(CallId call, CallPlan &plan) const;

private:
  bool addResult(CallId call, std::vector<Forwarded> &forwarded) const;
  bool addOutputs(CallId call, std::vector<Forwarded> &forwarded) const;
  std::optional<Forwarded> output(CallId call, int index) const;
  bool hasEffects(const Call &call) const;
  static void exchange(const Call &call, std::vector<Forwarded> &forwarded, CallPlan &plan);
  const clang::ASTContext &contextOf(const Call &call) const;

  const Program &program_;
  const PointsTo &pointsTo_;
  const Closure &closure_;
  /// Something is needed of non-blocking calls: what completes requests has to hand it over.
  bool hasStarts_ = false;
  bool areFreed_ = false; ///< requests, before it is known that they have completed
};

} // namespace forerun::slicer

#endif

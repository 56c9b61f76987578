// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_REPETITION_H
#define FORERUN_SLICER_REPETITION_H

#include "slice/ClosureInput.h"

namespace forerun::slicer {

/// Finds the calls in loops that contain criteria, too: such a call is made again between two of
/// these.
class Repetition {
public:
  explicit Repetition(const ClosureInput &input) : input_(input), program_(input.program) {}

  bool isRepeated(CallId call);
  bool isRepeatedAt(NodeId node) const; ///< the same for a statement

private:
  bool isRepeated(NodeId node, std::set<FunctionId> &met) const;
  bool isInLoopWithCriteria(NodeId node) const;
  bool leadsToCriteria(CallId call) const;

  const ClosureInput &input_;
  const Program &program_;
  std::map<CallId, bool> known_;
};

} // namespace forerun::slicer

#endif

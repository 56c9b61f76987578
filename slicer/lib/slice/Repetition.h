// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_REPETITION_H
#define FORERUN_SLICER_REPETITION_H

#include "slice/ClosureInput.h"

namespace forerun::slicer {

/// Which calls lie in a loop in which there are criteria too: between two of these such a call is
/// made again.
class Repetition {
public:
  explicit Repetition(const ClosureInput &input) : input_(input), program_(input.program) {}

  bool isRepeated(CallId call);
  bool isRepeatedAt(NodeId node) const; ///< the same of a statement

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

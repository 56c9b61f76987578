// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slice/needs/ClosureInput.h"

namespace forerun::slicer {

/// What is in loops that contain criteria, too, itself or through the calls that lead to it: it is
/// executed again between two of these.
class Repetition {
public:
  /// \p leanCalls: calls of lean clones.
  explicit Repetition(const ClosureInput &input, const std::set<CallId> &leanCalls = {});

  /// \p isInLean: the lean clone of its function, if there is one, has it, too.
  bool isRepeated(CallId call, bool isInLean = true) const;
  bool isRepeatedAt(NodeId node, bool isInLean = true) const; ///< the same for a statement

private:
  std::vector<bool> isInLoop() const;
  std::set<FunctionId> repeatedFunctions(const std::set<CallId> &leftOut) const;

  const ClosureInput &input_;
  const Program &program_;
  const std::vector<bool> isInLoop_; ///< by node: with criteria
  /// By function: whether it, or its full clone, is called repeatedly.
  const std::set<FunctionId> isRepeated_, isFullRepeated_;
};

} // namespace forerun::slicer

// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_CLOSUREINPUT_H
#define FORERUN_SLICER_CLOSUREINPUT_H

#include "analysis/CallsByNode.h"
#include "analysis/Control.h"
#include "slice/Criteria.h"

namespace forerun::slicer {

/// What a closure is computed from: the facts, what the analyses found, and look-ups in these.
/// Nothing in it changes while the closure is computed.
struct ClosureInput {
  const Program &program;
  const PointsTo &pointsTo;
  const Effects &effects;
  const ControlDependences &control, &controlWithoutExits;
  const ClosureOptions options;
  const Criteria criteria;
  const CallsByNode callsOf;
  const std::vector<std::vector<GroupId>> returned; ///< by function: values of its returns

  /// A function that only ends the program: no criterion lies in it.
  [[nodiscard]] bool isEnd(FunctionId function) const;
  /// It tells the time, by a clock that is named by a constant.
  [[nodiscard]] bool asksClock(CallId call) const;
  /// The main thread hands over what comes of it.
  [[nodiscard]] bool isHanded(NodeId node) const;
  [[nodiscard]] NodeId nodeOf(CallId call) const;
};

ClosureInput closureInput(const Program &program, const PointsTo &pointsTo, const Effects &effects,
                          const ControlDependences &control,
                          const ControlDependences &controlWithoutExits, ClosureOptions options);

} // namespace forerun::slicer

#endif

// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_CLOSUREINPUT_H
#define FORERUN_SLICER_CLOSUREINPUT_H

#include "analysis/CallsByNode.h"
#include "analysis/Control.h"
#include "slice/Criteria.h"

namespace forerun::slicer {

/// The input of a closure: the facts, what the analyses found, and look-ups in these. It does not
/// change while the closure is computed.
struct ClosureInput {
  const Program &program;
  const PointsTo &pointsTo;
  const Effects &effects;
  const ControlDependences &control, &controlWithoutExits;
  const ClosureOptions options;
  const Criteria criteria;
  const CallsByNode callsOf;
  const std::vector<std::vector<GroupId>> returned; ///< by function: values of its returns

  /// The function only ends the program: it leads to no criterion.
  [[nodiscard]] bool isEnd(FunctionId function) const;
  /// The call tells the time of a clock that a constant names.
  [[nodiscard]] bool asksClock(CallId call) const;
  /// The main thread hands over the outcome of the node.
  [[nodiscard]] bool isHanded(NodeId node) const;
  /// The statement that the node is, or of whose condition it is an operand.
  [[nodiscard]] const clang::Stmt *statementOf(NodeId node) const;
  [[nodiscard]] NodeId nodeOf(CallId call) const;
};

ClosureInput closureInput(const Program &program, const PointsTo &pointsTo, const Effects &effects,
                          const ControlDependences &control,
                          const ControlDependences &controlWithoutExits, ClosureOptions options);

} // namespace forerun::slicer

#endif

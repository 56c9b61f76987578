// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/CallsByNode.h"
#include "analysis/Control.h"
#include "slice/needs/Criteria.h"

namespace forerun::slicer {

/// Which calls are of lean clones (LeanClones.h).
struct Lean {
  std::set<FunctionId> functions; ///< that have one
  std::set<CallId> calls;         ///< of one, outside lean clones
  /// What lean clones need at entry.
  std::map<FunctionId, std::vector<Range>> atEntry;
};

/// The facts, and what the analyses found.
struct Findings {
  const Program &program;
  const PointsTo &pointsTo;
  const Effects &effects;
  const ControlDependences &control, &controlWithoutExits;
};

/// The input of a closure, with look-ups in it. It does not change while the closure is computed.
struct ClosureInput : Findings {
  ClosureInput(const Findings &findings, ClosureOptions given);

  ClosureOptions options;
  Criteria criteria;
  CallsByNode callsOf;
  std::vector<std::vector<GroupId>> returned; ///< by function: values of its returns
  Lean lean;
  bool seeksLean = false; ///< the closure is the second one, of lean clones

  /// The function only ends the program: it leads to no criterion.
  [[nodiscard]] bool isEnd(FunctionId function) const;
  /// The call tells the time of a clock that a constant names.
  [[nodiscard]] bool asksClock(CallId call) const;
  /// The statement by which the main thread hands over the outcome of the node: itself, or that of
  /// whose condition it is an operand. Null: it does not.
  [[nodiscard]] const clang::Stmt *handedAs(NodeId node) const;
  [[nodiscard]] bool isHanded(NodeId node) const { return handedAs(node) != nullptr; }
  /// The main thread hands over what decides on this early exit.
  [[nodiscard]] bool isHandedExit(NodeId exit) const;
  /// Whether what is needed of the call is needed in this callee. False where the call is one of
  /// the callee's full clone, and the lean one is sought.
  [[nodiscard]] bool isPassedTo(FunctionId callee, CallId call) const {
    return !seeksLean || !lean.functions.contains(callee) ||
           lean.functions.contains(program.calls[call].caller);
  }
  [[nodiscard]] bool callsLean(CallId call) const {
    return !seeksLean && lean.calls.contains(call);
  }
};

} // namespace forerun::slicer

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slice/needs/ClosureInput.h"
#include "slice/needs/Kept.h"

#include <memory>

namespace forerun::slicer {

/// An early exit that was left out, so that what it depends on need not be computed.
struct Cut {
  NodeId node = kNone;
  const char *why = "";
};

/// The backward closure over data and control from the program's MPI-IO calls.
///
///     Criteria --Needs (CallNeeds, DataNeeds)--> Kept
///     EarlyExits, Exchanges: more needs, each tried (Trial) and kept if it is worth its cost
///
/// Here is what has come of it (choices/Closing.h computes it).
///
/// Context: a call is in the slice only if one of its results or effects is needed, or if it leads
/// to a criterion; all that its callee needs at entry is then needed at the call.
/// This is Binkley's executable slice (1993) with one version of each function: no wider than the
/// two phases of Horwitz, Reps, Binkley (1990) plus what makes every kept call executable.
///
/// The price of one version: a helper that reads both an index and bulk data would have to fetch
/// both. So some functions have a second, lean version (LeanClones.h).
class Closure {
public:
  using Options = ClosureOptions;

  /// Without \p kept, time ran out: then the slice is empty.
  explicit Closure(ClosureInput input, std::optional<Kept> kept = {}, std::vector<Cut> cuts = {})
      : input_(std::move(input)), isComplete_(kept.has_value()),
        kept_(kept ? std::move(*kept) : Kept(input_.program)), cuts_(std::move(cuts)) {}

  bool isComplete() const { return isComplete_; }
  const Kept &kept() const { return kept_; }
  bool isActive(GroupId group) const { return kept_.isActive(group); }
  bool isPresent(NodeId node) const { return kept_.isPresent(node); }
  bool isCalled(CallId call) const { return kept_.isCalled(call); }
  bool needsResult(CallId call) const { return kept_.needsResult(call); }
  bool needsOutput(CallId call, int argument) const { return kept_.needsOutput(call, argument); }
  bool needsAnyOutput(CallId call) const { return kept_.needsAnyOutput(call); }
  bool hasClone(FunctionId function) const { return kept_.hasClone(function); }
  /// Functions that have a lean clone as well, calls of these, and what is in them; null if there are
  /// none.
  const std::set<FunctionId> &withLean() const { return withLean_; }
  const std::set<CallId> &leanCalls() const { return leanCalls_; }
  const Closure *lean() const { return lean_.get(); }
  void addLean(std::set<FunctionId> functions, std::set<CallId> calls,
               std::unique_ptr<const Closure> lean) {
    withLean_ = std::move(functions);
    leanCalls_ = std::move(calls);
    lean_ = std::move(lean);
  }
  /// Of a function that is lowered once for each call: whether this one stands for all in the slice
  /// and in what is said of it. True of any other function.
  bool speaksForAll(FunctionId function) const;
  /// The pre-execution threads make this communication among themselves.
  bool isExchanged(CallId call) const { return kept_.exchanged().contains(call); }
  bool hasExchanges() const { return !kept_.exchanged().empty(); }
  /// The node runs, and the main thread hands over its outcome.
  bool isHandedOver(NodeId node) const;
  /// The node itself is handed over, not the condition of which it is an operand.
  bool isHandedItself(NodeId node) const {
    return isHandedOver(node) && input_.handedAs(node) == input_.program.nodes[node].stmt;
  }
  /// How what is handed over comes out where the loop goes on, if it decides on an early exit.
  std::optional<bool> staysWith(const clang::Stmt *handed) const {
    const auto found = input_.options.exits.find(handed);
    return found == input_.options.exits.end() ? std::nullopt : found->second;
  }
  /// Statements that cannot be handed over, because a call in them has to run all the same.
  [[nodiscard]] HandedStatements notHandedOver() const;
  const Reason *why(GroupId group) const { return kept_.why(group); }
  /// Why the node is in the slice, if only some of its calls run.
  const Reason *whyPresent(NodeId node) const { return kept_.whyPresent(node); }
  const std::vector<Cut> &cuts() const { return cuts_; }
  const ClosureInput &input() const { return input_; }
  const Criteria &criteria() const { return input_.criteria; }
  bool isEnd(FunctionId function) const { return input_.isEnd(function); }
  /// The call gives the time, which the pre-execution thread may ask for itself.
  bool asksClock(CallId call) const { return input_.asksClock(call); }
  const std::map<const clang::Stmt *, int> &unwritten() const { return input_.options.unwritten; }
  bool isUnwritable(const Call &call) const {
    return input_.options.unwritable.contains(call.expr);
  }

private:
  const ClosureInput input_;
  const bool isComplete_;
  const Kept kept_;
  const std::vector<Cut> cuts_;
  std::set<FunctionId> withLean_;
  std::set<CallId> leanCalls_;
  std::unique_ptr<const Closure> lean_;
};

} // namespace forerun::slicer

// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_CLOSURE_H
#define FORERUN_SLICER_CLOSURE_H

#include "slice/CostModel.h"
#include "slice/EarlyExits.h"

#include <memory>

namespace forerun::slicer {

/// The backward closure over data and control from the program's MPI-IO calls.
///
///     Criteria --Needs (CallNeeds, DataNeeds)--> Kept
///     EarlyExits, Exchanges: more needs, each tried (Trial) and kept if it is worth its cost
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

  Closure(const Findings &findings, Options options);

  /// False if time ran out: then the slice is empty.
  bool isComplete() const { return isComplete_; }
  bool isActive(GroupId group) const { return kept_.isActive(group); }
  bool isPresent(NodeId node) const { return kept_.isPresent(node); }
  bool isCalled(CallId call) const { return kept_.isCalled(call); }
  bool needsResult(CallId call) const { return kept_.needsResult(call); }
  bool needsOutput(CallId call, int argument) const { return kept_.needsOutput(call, argument); }
  bool needsAnyOutput(CallId call) const { return kept_.needsAnyOutput(call); }
  bool hasClone(FunctionId function) const { return kept_.hasClone(function); }
  /// Functions that have a lean clone as well, and what is in these; null if there are none.
  const std::set<FunctionId> &withLean() const { return withLean_; }
  const Closure *lean() const { return lean_.get(); }
  /// The call is one of a lean clone.
  bool callsLean(CallId call) const { return leanCalls_.contains(call); }
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
  [[nodiscard]] Cost cost() const;
  [[nodiscard]] Repetition repetition() const { return Repetition(input_); }
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
  explicit Closure(ClosureInput input);
  /// The second closure (LeanClones.h); without \p full, only to guess which calls are of lean clones.
  Closure(ClosureInput input, const Kept *full);
  void findLean();
  void take(Lean guess, std::unique_ptr<const Closure> lean);

  const ClosureInput input_;
  Kept kept_;
  std::set<FunctionId> withLean_;
  std::set<CallId> leanCalls_;
  std::map<FunctionId, std::vector<Range>> atEntry_; ///< of lean clones
  std::unique_ptr<const Closure> lean_;
  std::vector<Cut> cuts_;
  bool isComplete_ = true;
};

} // namespace forerun::slicer

#endif

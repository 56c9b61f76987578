// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/Facts.h"
#include "slice/needs/Cost.h"
#include "slice/needs/Trial.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

namespace forerun::slicer {

/// Why something is in the slice: for a reason of this kind, because of the group `by`.
struct Reason {
  enum class Kind { Criterion, Data, Control, Enclosing, Argument, Result, Call };
  Kind kind = Kind::Criterion;
  GroupId by = kNone;
};

/// The slice so far, with reasons. It only grows, except for what a trial takes back: all additions
/// go through `trial`. They return true if the element is new.
class Kept {
public:
  explicit Kept(const Program &program);

  bool isActive(GroupId group) const { return groups_.test(index(group)); }
  /// Whether anything of the node runs: all of it if its group is active, else some of its calls.
  bool isPresent(NodeId node) const { return nodes_.test(index(node)); }
  bool isCalled(CallId call) const { return calls_.test(index(call)); }
  /// Whether the call's result, or what it writes through its argument, is needed.
  bool needsResult(CallId call) const;
  bool needsOutput(CallId call, int argument) const { return outputs_.contains({call, argument}); }
  bool needsAnyOutput(CallId call) const;
  /// Whether anything that the call leaves behind is needed: its result, or what it writes.
  bool needsOf(CallId call) const { return needsResult(call) || leaves_.test(index(call)); }
  bool hasClone(FunctionId function) const { return clones_.contains(function); }
  const Reason *why(GroupId group) const;
  const Reason *whyPresent(NodeId node) const;
  /// Only the values and nodes, which are counted as they are added.
  const Cost &cost() const { return cost_; }
  /// Early exits that are left out so far.
  const std::set<NodeId> &deferredExits() const { return deferred_; }
  /// Communication whose results are needed, and that for which the slice has what is sent.
  const std::set<CallId> &communication() const { return communication_; }
  const std::set<CallId> &exchanged() const { return exchanged_; }

  /// Reads whose bytes, or status, are needed.
  const std::set<CallId> &fetches() const { return fetches_; }

  /// The bits that are needed of a structure that the group copies.
  std::vector<Bits> copiesOf(GroupId group) const;
  /// ... and of what the call copies into new memory.
  std::vector<Bits> copiedBy(CallId call) const;

  bool addGroup(GroupId group, Reason reason);
  bool addNode(NodeId node, Reason reason);
  bool addCall(CallId call) { return trial.set(calls_, call); }
  bool addOutput(CallId call, int argument) {
    return trial.insert(outputs_, std::pair(call, argument));
  }
  /// Something that the call writes is needed.
  void addNeed(CallId call) { trial.set(leaves_, call); }
  bool addClone(FunctionId function) { return trial.insert(clones_, function); }
  bool addResults(FunctionId function) { return trial.insert(results_, function); }
  bool addCopy(GroupId group, Bits bits) { return trial.insert(copies_, std::pair(group, bits)); }
  bool addCopied(CallId call, Bits bits) { return trial.insert(copied_, std::pair(call, bits)); }
  /// A node that is executed as often as in the program.
  bool addCounted(NodeId node) { return trial.insert(counted_, node); }
  bool addDeferredExit(NodeId node) { return trial.insert(deferred_, node); }
  bool addCommunication(CallId call) { return trial.insert(communication_, call); }
  bool addExchanged(CallId call) { return trial.insert(exchanged_, call); }
  bool addFetch(CallId call) { return trial.insert(fetches_, call); }
  void addReceive() { trial.increment(cost_.values); }

  Trial trial;

private:
  static unsigned index(int id) { return static_cast<unsigned>(id); }

  const Program *program_;
  llvm::BitVector nodes_, groups_, calls_;
  std::set<std::pair<CallId, int>> outputs_;
  llvm::BitVector leaves_;                      ///< by call: something that it writes is needed
  llvm::DenseSet<FunctionId> clones_, results_; ///< results_: functions whose result is needed
  std::set<std::pair<GroupId, Bits>> copies_;   ///< the needed bits of structures that groups copy
  std::set<std::pair<CallId, Bits>> copied_;    ///< ... and of what calls copy into new memory
  std::set<NodeId> deferred_;
  llvm::DenseSet<NodeId> counted_;
  std::set<CallId> communication_, exchanged_, fetches_;
  llvm::DenseMap<GroupId, Reason> reasons_;
  llvm::DenseMap<NodeId, Reason> presences_;
  Cost cost_;
};

} // namespace forerun::slicer

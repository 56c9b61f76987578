// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_DATANEEDS_H
#define FORERUN_SLICER_DATANEEDS_H

#include "slice/ClosureInput.h"
#include "slice/Kept.h"

#include <deque>
#include <set>
#include <tuple>

namespace forerun::slicer {

class Needs;

/// Which writes what is read comes from. A part of Needs.
///
/// Data dependence is found on demand, backwards from each use through the graph until a write
/// that certainly replaces the bytes; at a function's entry it goes on in the calls that are kept.
///
/// Most functions of a large program do not write what is looked for themselves, they only call some
/// that do. There nothing replaces it, and the search passes from call to call; all that is looked
/// for passes at once, as sets of *numbers* of ranges. What passes waits until passOn().
class DataNeeds {
public:
  DataNeeds(const ClosureInput &input, Kept &kept, Needs &needs);

  /// What is in this place when the node begins.
  void needMemory(NodeId node, const Place &place, GroupId by);
  /// The call is kept: what its callee needs at entry, now or later, is needed there.
  void addCaller(CallId call, FunctionId callee);
  /// Lets what waits pass on. What is needed for it waits in Needs. True if anything was waiting.
  bool passOn();

private:
  using Bytes = std::tuple<ObjectId, std::int64_t, std::int64_t>; ///< a range
  /// What is looked for in a function, and for whom.
  using Sought = std::tuple<FunctionId, unsigned, Need>;

  using Numbers = llvm::BitVector; ///< of ranges

  void searchBefore(NodeId node, const Range &range, GroupId by);
  void searchFrom(NodeId node, const Range &range, GroupId by, Need whose);
  void searchWrites(NodeId node, const Range &range, GroupId by, Need whose);
  void searchAllocation(CallId call, const Range &range, GroupId by);
  bool searchIn(NodeId node, const Range &range, GroupId by, Need whose);
  void needAtEntry(FunctionId function, const Range &range, GroupId by);
  void needAtCall(CallId call, FunctionId callee, const Range &range, GroupId by);
  llvm::BitVector &searchedFor(FunctionId function, unsigned number, Need whose);
  unsigned numberOf(const Range &range);

  // DataNeedsPassing.cpp
  void classify(unsigned number);
  void arrive(NodeId node, const Numbers &numbers, Need whose);
  void wait(FunctionId function, Numbers &waiting, const Numbers &numbers, const Numbers &passed);
  void passFunction(FunctionId function);
  bool passSteps(FunctionId function);
  void passStep(NodeId node, const Numbers &numbers, Need whose);
  void passCalls(NodeId node, const Numbers &numbers, Need whose);
  void passEntry(FunctionId function, const Numbers &numbers);
  void passToCaller(CallId call, const Numbers &numbers);
  GroupId firstNeedOf(const Numbers &numbers) const;

  const ClosureInput &input_;
  const Program &program_;
  Kept &kept_;
  Needs &needs_;
  std::vector<int> placeOf_;    ///< by node: its place in its function
  std::vector<unsigned> sizes_; ///< by function: its nodes
  llvm::BitVector isReached_;   ///< by node: there is a way to it from its function's entry
  llvm::DenseMap<Bytes, unsigned> numbers_; ///< of ranges that are looked for
  std::vector<Range> ranges_;               ///< by number
  std::vector<GroupId> needOf_;             ///< by number: a group that needs it
  llvm::DenseMap<Sought, unsigned> searchOf_;
  std::deque<llvm::BitVector> searched_; ///< by search: which of the function's nodes have been met
  std::vector<std::vector<CallId>> callers_; ///< by function: calls of it that are kept
  std::vector<Numbers> atEntry_;             ///< by function: what it needs there

  Numbers passing_; ///< what passes from call to call: all but what is automatic
  /// By function: what of this all of its calls modify, what some may, and what it writes itself.
  std::vector<Numbers> modified_, mayBeModified_, written_;
  /// By node: the nearest before it, itself included, where something can happen to what passes: a
  /// step.
  std::vector<NodeId> lastStep_;
  std::vector<unsigned> stepOf_;           ///< by step: its place among those of its function
  std::vector<std::vector<NodeId>> steps_; ///< by function
  /// By function, and there two for each step, one for each Need: what is to pass, what has.
  std::vector<std::vector<Numbers>> waiting_, passed_;
  std::vector<Numbers> waitingAtEntry_; ///< by function
  std::vector<int> rank_;               ///< by function: callees before callers
  std::vector<FunctionId> ofRank_;
  std::set<int> open_; ///< ranks of functions where something waits
  int at_ = 0;         ///< a rank: functions are visited upwards and then downwards
  bool isUpwards_ = true;
};

} // namespace forerun::slicer

#endif

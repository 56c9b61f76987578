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

/// Finds the writes that give what is read its value (def-use). A part of Needs.
///
/// Data dependence is found on demand, backwards from each use through the graph to a write that
/// certainly replaces the bytes; at a function's entry the search continues at its kept calls.
///
/// Most functions of a large program do not write the searched ranges themselves; they only call
/// functions that do. There nothing replaces the bytes, and the search passes from call to call for
/// all ranges at once, as sets of range *numbers*. What passes waits until passOn().
class DataNeeds {
public:
  DataNeeds(const ClosureInput &input, Kept &kept, Needs &needs);

  /// Needs the contents of this place when the node begins.
  void needMemory(NodeId node, const Place &place, GroupId by);
  /// The call is kept: what its callee needs at entry, now or later, is needed at the call.
  void addCaller(CallId call, FunctionId callee);
  /// The same for a call of a lean clone.
  void addLeanCaller(CallId call, FunctionId callee);
  [[nodiscard]] std::vector<Range> neededAtEntry(FunctionId function) const;
  /// Passes on what waits; the needs that result wait in Needs. True if anything was waiting.
  bool passOn();

private:
  /// A search that began in the function itself, or in what it calls, goes on at its calls; one
  /// that its callers have begun goes on there by itself.
  enum class Whose { Own, Callers };
  using Bytes = std::tuple<ObjectId, std::int64_t, std::int64_t>; ///< a range
  /// A search: the function, the number of the range, and for whom.
  using Sought = std::tuple<FunctionId, unsigned, Whose>;

  using Numbers = llvm::BitVector; ///< of ranges

  void searchBefore(NodeId node, const Range &range, GroupId by);
  void searchFrom(NodeId node, const Range &range, GroupId by, Whose whose);
  void searchWrites(NodeId node, const Range &range, GroupId by, Whose whose);
  void searchAllocation(CallId call, GroupId by);
  bool searchIn(NodeId node, const Range &range, GroupId by);
  void needAtEntry(FunctionId function, const Range &range, GroupId by);
  void needAtCall(CallId call, FunctionId callee, const Range &range, GroupId by);
  llvm::BitVector &searchedFor(FunctionId function, unsigned number, Whose whose);
  unsigned numberOf(const Range &range);

  // DataNeedsPassing.cpp
  void classify(unsigned number);
  void arrive(NodeId node, const Numbers &numbers, Whose whose);
  void arrive(NodeId node, unsigned number, Whose whose);
  Numbers &waitingAt(NodeId node, Whose whose, const Numbers *&passed);
  void wait(FunctionId function, Numbers &waiting, const Numbers &numbers, const Numbers &passed);
  void wait(FunctionId function, Numbers &waiting, unsigned number, const Numbers &passed);
  void passFunction(FunctionId function);
  bool passSteps(FunctionId function);
  void passStep(NodeId node, const Numbers &numbers, Whose whose);
  void passCalls(NodeId node, const Numbers &numbers);
  void passEntry(FunctionId function, const Numbers &numbers);
  void passToCaller(CallId call, FunctionId callee, const Numbers &all);
  GroupId firstNeedOf(const Numbers &numbers) const;

  const ClosureInput &input_;
  const Program &program_;
  Kept &kept_;
  Needs &needs_;
  std::vector<int> placeOf_;    ///< by node: its place in its function
  std::vector<unsigned> sizes_; ///< by function: its nodes
  llvm::BitVector isReached_;   ///< by node: there is a way to it from its function's entry
  llvm::DenseMap<Bytes, unsigned> numbers_; ///< of ranges that are searched for
  std::vector<Range> ranges_;               ///< by number
  std::vector<GroupId> needOf_;             ///< by number: a group that needs it
  llvm::DenseMap<Sought, unsigned> searchOf_;
  std::deque<llvm::BitVector> searched_; ///< by search: which of the function's nodes have been met
  std::vector<std::vector<CallId>> callers_; ///< by function: calls of it that are kept
  std::vector<Numbers> atEntry_;             ///< by function: what it needs at entry

  Numbers passing_; ///< ranges that pass from call to call: all but automatic ones
  /// By function: the ranges that all its calls modify, that some may, and that it writes itself.
  std::vector<Numbers> modified_, mayBeModified_, written_;
  /// By node: the nearest node before it, or itself, where something can happen to what passes: a
  /// *step*.
  std::vector<NodeId> lastStep_;
  std::vector<unsigned> stepOf_;           ///< by step: its position among those of its function
  std::vector<std::vector<NodeId>> steps_; ///< by function
  /// By function, two entries per step, one per Whose: what is to pass, and what has passed.
  std::vector<std::vector<Numbers>> waiting_, passed_;
  std::vector<Numbers> waitingAtEntry_; ///< by function
  std::vector<int> rank_;               ///< by function: callees before callers
  std::vector<FunctionId> ofRank_;
  std::set<int> open_; ///< ranks of functions where something waits
  int at_ = 0;         ///< a rank: functions are visited in rising, then in falling order
  bool isUpwards_ = true;
};

} // namespace forerun::slicer

#endif

// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_DATANEEDS_H
#define FORERUN_SLICER_DATANEEDS_H

#include "slice/ClosureInput.h"
#include "slice/Kept.h"

#include <deque>
#include <tuple>

namespace forerun::slicer {

class Needs;

/// Which writes what is read comes from. A part of Needs.
///
/// Data dependence is found on demand, backwards from each use through the graph until a write
/// that certainly replaces the bytes; at a function's entry it goes on in the calls that are kept.
///
/// Most functions of a large program do not write what is looked for themselves, they only call some
/// that do. There nothing replaces it, and the search steps from call to call.
class DataNeeds {
public:
  DataNeeds(const ClosureInput &input, Kept &kept, Needs &needs);

  /// What is in this place when the node begins.
  void needMemory(NodeId node, const Place &place, GroupId by);
  /// The call is kept: what its callee needs at entry, now or later, is needed there.
  void addCaller(CallId call, FunctionId callee);

private:
  using Bytes = std::tuple<ObjectId, std::int64_t, std::int64_t>; ///< a range
  /// What is looked for in a function, and for whom.
  using Sought = std::tuple<FunctionId, unsigned, Need>;

  void searchBefore(NodeId node, const Range &range, GroupId by);
  void searchFrom(NodeId node, const Range &range, GroupId by, Need whose);
  void searchWrites(NodeId node, const Range &range, GroupId by, Need whose);
  void searchCalls(NodeId node, const Range &range, GroupId by, Need whose);
  void searchAllocation(CallId call, const Range &range, GroupId by);
  bool searchIn(NodeId node, const Range &range, GroupId by, Need whose);
  void searchInCallees(NodeId node, const Range &range, GroupId by, Need whose);
  unsigned numberOf(const Range &range);
  void needAtEntry(FunctionId function, const Range &range, GroupId by);
  void needAtCall(CallId call, FunctionId callee, const Range &range, GroupId by);
  llvm::BitVector &searchedFor(FunctionId function, const Range &range, Need whose);

  const ClosureInput &input_;
  const Program &program_;
  Kept &kept_;
  Needs &needs_;
  std::vector<int> placeOf_;    ///< by node: its place in its function
  std::vector<unsigned> sizes_; ///< by function: its nodes
  llvm::BitVector isReached_;   ///< by node: there is a way to it from its function's entry
  /// By node: the nearest before it, itself included, that matters to a search from call to call:
  /// a step.
  std::vector<NodeId> lastStep_;
  std::vector<unsigned> stepOf_; ///< by node that is a step: its place among those of its function
  std::vector<unsigned> steps_;  ///< by function
  llvm::DenseMap<Bytes, unsigned> numbers_; ///< of ranges that are looked for
  std::vector<Range> ranges_;               ///< by number
  llvm::DenseMap<Sought, unsigned> searchOf_;
  std::deque<llvm::BitVector> searched_; ///< by search: which of the function's nodes have been met
  /// By function: which ranges have come by at which of its steps in a search from call to call.
  /// A row for each number, and in it two flags for each step, one for each Need.
  std::vector<llvm::BitVector> passed_;
  std::vector<std::vector<CallId>> callers_; ///< by function: calls of it that are kept
  std::vector<llvm::BitVector> atEntry_;     ///< by function: the numbers of what it needs there
};

} // namespace forerun::slicer

#endif

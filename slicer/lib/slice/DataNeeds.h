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
  using Sought = std::tuple<FunctionId, ObjectId, std::int64_t, std::int64_t, Need>;

  void searchBefore(NodeId node, const Range &range, GroupId by);
  void searchFrom(NodeId node, const Range &range, GroupId by, Need whose);
  bool searchIn(NodeId node, const Range &range, GroupId by, Need whose);
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
  llvm::DenseMap<Sought, unsigned> searchOf_;
  std::deque<llvm::BitVector> searched_; ///< by search: which of the function's nodes have been met
  std::vector<std::vector<CallId>> callers_;   ///< by function: calls of it that are kept
  std::vector<llvm::DenseSet<Bytes>> atEntry_; ///< by function: what it needs there
};

} // namespace forerun::slicer

#endif

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slice/needs/ClosureInput.h"
#include "slice/needs/Kept.h"

#include <deque>
#include <tuple>

namespace forerun::slicer {

class Needs;

/// What makes the slice grow: it asks Needs for more, which goes into what is kept. The parts of Needs
/// ask each other in this way.
class Grower {
public:
  Grower(const ClosureInput &input, Kept &kept, Needs &needs)
      : input_(input), program_(input.program), kept_(kept), needs_(needs) {}

protected:
  const ClosureInput &input_;
  const Program &program_;
  Kept &kept_;
  Needs &needs_;
};

/// What a needed call needs of its callee, its arguments and the memory that it reads.
class CallNeeds : Grower {
public:
  using Grower::Grower;

  /// The call is made, whether or not its result is used.
  void keepCall(CallId call, GroupId by);
  /// The expression that contains the call is needed, and so is the call's result if it is used.
  void needResult(CallId call, GroupId by);
  /// What the call writes through its argument (kNone: hidden state) is needed.
  void needOutput(CallId call, int argument, GroupId by);
  /// These bits of what the call copies into memory that it allocates are needed.
  void needCopied(CallId call, GroupId by, Bits bits);
  void needArgument(CallId call, int argument, GroupId by, Bits bits = {});
  /// What the call reads through its arguments.
  void needUses(CallId call);

private:
  void keepEvery(CallId call);
  void needLibraryInputs(CallId call);
  void needAllInputs(CallId call);
  void needTwinInputs(CallId call);
  void needIoInputs(CallId call);
};

/// Finds the writes that give what is read its value (def-use).
///
/// Data dependence is found on demand, backwards from each use through the graph to a write that
/// certainly replaces the bytes; at a function's entry the search continues at its kept calls.
///
/// Most functions of a large program do not write the searched ranges themselves; they only call
/// functions that do. There nothing replaces the bytes, and the search passes from call to call for
/// all ranges at once, as sets of range *numbers*. What passes waits until passOn().
class DataNeeds : Grower {
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
  struct Step {
    Numbers waiting, passed; ///< what is to pass, and what has passed
  };

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
  Step &stepBefore(NodeId node, Whose whose);
  void wait(FunctionId function, Step &at, const Numbers &numbers);
  void wait(FunctionId function, Step &at, unsigned number);
  void passFunction(FunctionId function);
  bool passSteps(FunctionId function);
  void passStep(NodeId node, const Numbers &numbers, Whose whose);
  void passCalls(NodeId node, const Numbers &numbers);
  void passEntry(FunctionId function, const Numbers &numbers);
  void passToCaller(CallId call, FunctionId callee, const Numbers &all);
  GroupId firstNeedOf(const Numbers &numbers) const;

  std::vector<int> placeOf_;    ///< by node: its place in its function
  std::vector<unsigned> sizes_; ///< by function: its nodes
  llvm::BitVector isReached_;   ///< by node: there is a way to it from its function's entry
  llvm::DenseMap<Bytes, unsigned> numbers_; ///< of ranges that are searched for
  std::vector<Range> ranges_;               ///< by number
  std::vector<GroupId> needOf_;             ///< by number: a group that needs it
  llvm::DenseMap<Sought, unsigned> searchOf_;
  std::deque<llvm::BitVector> searched_; ///< by search: which of the function's nodes have been met
  std::vector<std::vector<CallId>> callers_; ///< by function: calls of it that are kept
  std::vector<Step> entries_;                ///< by function: what it needs at entry

  Numbers areShared_; ///< ranges that pass from call to call: all but automatic ones
  /// By function: the ranges that all its calls modify, that some may, and that it writes itself.
  std::vector<Numbers> modified_, mayBeModified_, written_;
  /// By node: the nearest node before it, or itself, where something can happen to what passes: a
  /// *step*.
  std::vector<NodeId> lastStep_;
  std::vector<unsigned> stepOf_;           ///< by step: its position among those of its function
  std::vector<std::vector<NodeId>> steps_; ///< by function
  std::vector<std::vector<Step>> passing_; ///< by function, two per step: one per Whose
  std::vector<int> rank_;                  ///< by function: callees before callers
  std::vector<FunctionId> ofRank_;
  std::set<int> open_; ///< ranks of functions where something waits
  int at_ = 0;         ///< a rank: functions are visited in rising, then in falling order
  bool isUpwards_ = true;
};

/// Keeps the paths to what the main thread hands over. Values are counted: the k-th value that the
/// pre-execution thread receives at a site is the k-th that the main thread has handed over there.
/// So both threads have to reach the site equally often: every call that leads there belongs to
/// the slice, with the conditions that control it, also where nothing needs the value; so does an
/// early exit after which the program may reach the site again.
class Ways : Grower {
public:
  using Grower::Grower;

  /// Makes the node execute as often as in the program.
  void keepAllTo(NodeId node, GroupId by);

private:
  void keepExits(NodeId node, GroupId by);
  bool comesBack(NodeId exit, NodeId to) const;
  bool leadsTo(NodeId node, const std::set<FunctionId> &functions, CallId except = kNone) const;
};

/// What follows from a need: for a group of a statement here, for a call in CallNeeds, for memory
/// in DataNeeds, for a value that is handed over in Ways. Everything that is needed goes
/// into `kept`; groups wait until close() asks for what they need in turn.
class Needs {
public:
  Needs(const ClosureInput &input, Kept &kept);

  CallNeeds calls;
  DataNeeds data;
  Ways ways;

  void needGroup(GroupId group, Reason reason);
  /// The group and, if its value is a structure, these bits of it.
  void needBits(GroupId group, Bits bits, Reason reason);
  /// The statement runs, at least in part; so do the statements that enclose it or control it.
  void keepNode(NodeId node, GroupId by);

  /// What \p given has of \p from runs in \p to, too: the same function, or another one that is lowered from it. True if
  /// something was missing.
  bool giveTo(const Function &to, const Kept &given, const Function &from);

  /// Runs until everything that is needed is kept.
  void close();

  /// A step. Whether there are no more: then what is kept must not be used.
  bool isOver();
  bool isComplete() const { return isComplete_; }

private:
  void deferExits(NodeId node);
  void needWhatGroupNeeds(GroupId group);
  void needWhatCopyNeeds(GroupId group, Bits bits);
  bool joinNestedCalls();
  bool joinCopies();

  const ClosureInput &input_;
  const Program &program_;
  Kept &kept_;
  bool isComplete_ = true;
  std::vector<GroupId> open_;
  std::vector<std::pair<GroupId, Bits>> openCopies_;
};

} // namespace forerun::slicer

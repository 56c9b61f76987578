// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_CLOSURE_H
#define FORERUN_SLICER_CLOSURE_H

#include "analysis/Control.h"
#include "analysis/Effects.h"
#include "analysis/ProcessCounts.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace forerun::slicer {

/// Why something is in the slice: because of `by` (a group), for this reason.
struct Reason {
  enum class Kind { Criterion, Data, Control, Enclosing, Argument, Result, Call };
  Kind kind = Kind::Criterion;
  GroupId by = kNone;
};

/// Whose need the bytes are that a call brings.
enum class Need {
  None,
  Callers, ///< of those who call the function that the call stands in
  Own,     ///< of statements of that function, or of what they call
};

/// An early exit that was left out, so that what it depends on need not be computed.
struct Cut {
  NodeId node = kNone;
  const char *why = "";
};

/// The backward closure over data and control from the program's MPI-IO calls.
///
/// Context: a call is in the slice only if one of its results or effects is needed, or if a
/// criterion lies in what it calls; but then all that its callee needs at entry is needed there.
/// That is Binkley's executable slice (1993) with one version of each function: no wider than the
/// two phases of Horwitz, Reps, Binkley (1990) plus what makes every kept call executable.
///
/// What one version costs is that a helper which reads both an index and bulk data would have to
/// fetch both. So of each need it is known whether it is the function's own or only that of some
/// callers (Need): a read that only callers want the bytes of is a fetch when it is called for
/// these.
///
/// Data dependence is found on demand, backwards from each use through the graph until a write
/// that surely replaces the bytes; at a function's entry it goes on in the calls that are kept.
class Closure {
public:
  struct Options {
    bool followExits = false; ///< no early exit is cut
    /// An array has what was in it before a read too, should that be short.
    bool allowShortReads = false;
    /// Calls of MPI-IO that are not announced, since no text can be written for them.
    std::set<const clang::CallExpr *> leftOut;
    /// Calls of MPI-IO that are announced although nobody needs it: a macro makes them together
    /// with others.
    std::set<const clang::CallExpr *> forced;
    Deadline deadline; ///< when it is over nothing is in the slice
  };

  Closure(const Program &program, const PointsTo &pointsTo, const Effects &effects,
          const ControlDependences &control, const ControlDependences &controlWithoutExits,
          Options options);

  bool isComplete() const { return isComplete_; }
  bool isActive(GroupId group) const { return state_.groups[group]; }
  /// Whether anything of the node runs: all of it if its group is active, else some of its calls.
  bool isPresent(NodeId node) const { return state_.nodes[node]; }
  bool isCalled(CallId call) const { return state_.calls[call]; }
  /// Whether the call's result, or what it writes through its argument, is needed.
  bool needsResult(CallId call) const;
  bool needsOutput(CallId call, int argument) const;
  bool needsAnyOutput(CallId call) const;
  /// Who needs what a read, or a call of a function with a body, leaves in memory.
  Need needOf(CallId call) const;
  bool hasClone(FunctionId function) const { return state_.clones.count(function) > 0; }
  /// The pre-execution threads make this communication among themselves.
  bool isExchanged(CallId call) const { return state_.exchanged.count(call) > 0; }
  bool hasExchanges() const { return !state_.exchanged.empty(); }
  const Reason *why(GroupId group) const;
  /// Why the node is there, if only some of its calls run.
  const Reason *whyPresent(NodeId node) const;
  const std::vector<Cut> &cuts() const { return cuts_; }
  /// Calls of MPI-IO that are announced; the others concern files that nobody reads.
  const std::vector<CallId> &criteria() const { return criteria_; }
  /// A function that only ends the program: no criterion lies in it.
  bool isEnd(FunctionId function) const {
    return program_.functions[function].neverReturns && with_.count(function) == 0;
  }

private:
  struct State {
    std::vector<bool> nodes, groups, calls;
    std::set<std::pair<CallId, int>> outputs;
    std::set<FunctionId> clones, results;
    std::map<FunctionId, std::vector<CallId>> callers;
    std::map<FunctionId, std::set<Range>> atEntry;
    /// By function, what is looked for there and for whom: its nodes that have been searched.
    std::map<std::tuple<FunctionId, Range, Need>, std::vector<bool>> searched;
    std::set<std::pair<CallId, Need>> needs;
    std::set<std::pair<GroupId, Bits>> copied;
    std::set<NodeId> deferred;
    /// Communication of which something is needed; and that of which what it sends is in the slice.
    std::set<CallId> communication, exchanged;
    std::map<GroupId, Reason> reasons;
    std::map<NodeId, Reason> presences;
    std::vector<GroupId> open;
    std::vector<std::pair<GroupId, Bits>> openCopies;
  };
  /// What the slice costs: by these it is decided whether an early exit is worth keeping.
  struct Cost {
    std::size_t fetches = 0, receives = 0, kept = 0;
  };

  void reset();
  bool isOver();
  void findCriteria();
  void close();
  bool tryDeferred();
  bool tryExchanges();
  bool tryExchange(CallId call);
  void exchange(CallId call);
  void callAll(CallId call);
  std::vector<CallId> partnersOf(CallId call) const;
  bool canBeExchanged(CallId call);
  bool isRepeated(CallId call);
  bool isRepeated(NodeId node, std::set<FunctionId> &met) const;
  bool isInLoopWithCriteria(NodeId node) const;
  std::size_t waits();
  std::size_t loops() const;
  bool isCheap(const Cost &before, NodeId exit) const;
  void takeBack(const Cost &before);
  /// True if it was not there. Taken back with the rest if the trial under way fails.
  template <class Set, class Value> bool insert(Set &set, const Value &value) {
    const bool isNew = set.insert(value).second;
    if (isNew && isTrying_)
      undo_.push_back([&set, value] { set.erase(value); });
    return isNew;
  }
  void set(std::vector<bool> &flags, int index);
  bool hasNoOtherEnd(NodeId exit) const;
  void need(GroupId group, Reason reason);
  /// The group is needed, and these bits of the structure that its value is, if it is one.
  void need(GroupId group, Bits bits, Reason reason);
  void activate(GroupId group);
  void copy(GroupId group, Bits bits);
  void present(NodeId node, GroupId by);
  /// It runs, whether or not its result is used.
  void call(CallId call, GroupId by);
  void result(CallId call, GroupId by);
  bool joinNested();
  void libraryCall(CallId call);
  /// All arguments of a library function's call, and what it reads through them.
  void useAll(CallId call);
  void ioCall(CallId call);
  void output(CallId call, int argument, GroupId by, Need need);
  void argument(CallId call, int index, GroupId by, Bits bits = {});
  void passEntry(CallId call, FunctionId callee, const Range &range, GroupId by);
  void read(NodeId node, const Place &place, GroupId by);
  void search(NodeId node, const Range &range, GroupId by, Need need);
  bool searchNode(NodeId node, const Range &range, GroupId by, Need need);
  void atEntry(FunctionId function, const Range &range, GroupId by);

  const Program &program_;
  const PointsTo &pointsTo_;
  const Effects &effects_;
  const ControlDependences &control_, &controlWithoutExits_;
  const ProcessCounts processCounts_;
  Options options_;
  std::vector<std::vector<CallId>> callsOf_;            ///< by node
  std::vector<int> placeOf_;                            ///< by node: its place in its function
  std::vector<int> sizes_;                              ///< by function: its nodes
  std::map<FunctionId, std::vector<GroupId>> returned_; ///< values of returns
  std::vector<CallId> criteria_;
  std::set<FunctionId> with_; ///< functions in which, or in what they call, criteria lie
  std::vector<Cut> cuts_;
  std::set<NodeId> decidedExits_;
  std::set<CallId> decidedExchanges_;
  std::map<CallId, bool> repeated_; ///< answers of isRepeated
  State state_;
  Cost cost_;
  bool isComplete_ = true;
  bool isTrying_ = false; ///< changes of state_ are noted in undo_, to be taken back
  std::vector<std::function<void()>> undo_;
};

} // namespace forerun::slicer

#endif

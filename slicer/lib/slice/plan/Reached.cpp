// SPDX-License-Identifier: Apache-2.0
#include "slice/plan/Plan.h"

#include "models/Ids.h"

#include <llvm/ADT/STLExtras.h>

namespace forerun::slicer {

namespace {

class Walk {
public:
  Walk(const Closure &closure, const Slice &slice)
      : program_(closure.input().program), closure_(closure), slice_(slice),
        callsOf_(closure.input().callsOf), reached_(program_.nodes.size()) {}

  std::vector<bool> walk() {
    for (const FunctionId each : ids(program_.functions))
      if (each == program_.main || !isCalledByName(each))
        enter(each);
    while (!open_.empty()) {
      const NodeId each = open_.back();
      open_.pop_back();
      goOnFrom(each);
    }
    return std::move(reached_);
  }

private:
  /// A function that is called in other ways, too, is taken to be reached.
  bool isCalledByName(FunctionId id) const {
    const std::vector<CallId> &callers = program_.functions[id].callers;
    return !callers.empty() && llvm::all_of(callers, [&](CallId each) {
      return program_.calls[each].pointer == kNone && !program_.calls[each].isCallback;
    });
  }

  void enter(FunctionId id) { reach(program_.functions[id].entry); }

  void reach(NodeId id) {
    if (id == kNone || reached_[id])
      return;
    reached_[id] = true;
    open_.push_back(id);
    if (const Function &function = program_.functions[program_.nodes[id].function];
        function.exit == id)
      for (const CallId each : function.callers) // which were waiting for it to return
        if (const NodeId caller = program_.nodeOf(each); reached_[caller])
          open_.push_back(caller);
  }

  void goOnFrom(NodeId id) {
    const Node &node = program_.nodes[id];
    if (slice_.ends.contains(node.stmt))
      return;
    for (const CallId each : callsOf_[id])
      for (const FunctionId callee : program_.calls[each].callees)
        enter(callee);
    if (endsHere(id))
      return;
    if (!closure_.isPresent(id) && node.fallThrough != kNone)
      return reach(node.fallThrough); // a jump that the clone does without
    for (const NodeId each : node.successors)
      reach(each);
  }

  bool endsHere(NodeId id) const {
    return closure_.isPresent(id) && llvm::any_of(callsOf_[id], [&](CallId each) {
             const Call &call = program_.calls[each];
             return !call.isConditional && closure_.isCalled(each) &&
                    (isExit(call) || !mayReturn(call));
           });
  }

  bool isExit(const Call &call) const {
    const CallPlan *plan = slice_.planOf(call.expr);
    return plan && plan->is<CallPlan::Exit>();
  }

  /// As far as is known yet; certain only for clones that are called by name.
  bool mayReturn(const Call &call) const {
    return call.pointer != kNone || call.isCallback || call.callees.size() != 1 ||
           !closure_.hasClone(call.callees[0]) ||
           reached_[program_.functions[call.callees[0]].exit];
  }

  const Program &program_;
  const Closure &closure_;
  const Slice &slice_;
  const CallsByNode &callsOf_;
  std::vector<bool> reached_;
  std::vector<NodeId> open_; ///< reached, but their successors have not been visited
};

} // namespace

std::vector<bool> reachedNodes(const Closure &closure, const Slice &slice) {
  return Walk(closure, slice).walk();
}

} // namespace forerun::slicer

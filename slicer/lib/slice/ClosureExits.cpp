// SPDX-License-Identifier: Apache-2.0
#include "slice/Closure.h"

#include <algorithm>

/// \file
/// Closure's early exits: each is tried, and taken back if it costs more than it is worth.

namespace forerun::slicer {

using Kind = FunctionModel::Kind;

/// Of two exits one behind the other, what follows depends on the second, and that on the first: if
/// the second is left out, the first has to be tried for itself, if it leaves a loop of the slice.
static std::set<NodeId> exitsBefore(const Program &program, const ControlDependences &control,
                                    NodeId exit) {
  std::set<NodeId> met{exit}, found;
  for (std::vector<NodeId> open{exit}; !open.empty();) {
    const NodeId node = open.back();
    open.pop_back();
    for (const NodeId each : control[node]) {
      if (!met.insert(each).second)
        continue;
      if (program.nodes[each].leavesLoop)
        found.insert(each);
      else
        open.push_back(each);
    }
  }
  return found;
}

/// An early exit belongs to the slice if what decides it costs little beyond what is there. True if
/// one has been added.
bool Closure::tryDeferred() {
  bool isAnyKept = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (const NodeId each : std::set(state_.deferred)) {
      const GroupId group = program_.nodes[each].group;
      if (isOver() || state_.groups[group] || !decidedExits_.insert(each).second)
        continue;
      const Cost before = cost_;
      isTrying_ = true;
      need(group, {Reason::Kind::Control, kNone});
      close();
      isTrying_ = false;
      if (isCheap(before, each)) {
        undo_.clear();
        changed = isAnyKept = true;
        continue;
      }
      const bool isRead = cost_.fetches > before.fetches;
      const bool isHanded = cost_.receives > before.receives;
      takeBack(before);
      cuts_.push_back({each, isRead     ? "it depends on what is read"
                             : isHanded ? "it depends on values that only the main thread has"
                                        : "it depends on much that nothing else needs"});
      for (const NodeId other : exitsBefore(program_, control_, each))
        if (const NodeId loop = program_.nodes[other].loop; loop != kNone && state_.nodes[loop])
          changed |= insert(state_.deferred, other);
    }
  }
  return isAnyKept;
}

bool Closure::isCheap(const Cost &before, NodeId exit) const {
  const std::size_t most = before.kept + std::max<std::size_t>(8, before.kept / 4);
  return cost_.fetches == before.fetches && cost_.kept <= most &&
         (cost_.receives == before.receives || hasNoOtherEnd(exit));
}

/// A loop that would announce for ever without this exit: better to wait for the main thread in
/// each round. One that ends when a read fails is such a loop, since no announcement fails.
bool Closure::hasNoOtherEnd(NodeId exit) const {
  const NodeId loop = program_.nodes[exit].loop;
  if (loop == kNone)
    return false;
  const auto &calls = callsOf_[loop];
  return program_.nodes[loop].isEndless ||
         std::any_of(calls.begin(), calls.end(), [&](CallId each) {
           return program_.calls[each].model && program_.calls[each].model->kind == Kind::Io;
         });
}
} // namespace forerun::slicer

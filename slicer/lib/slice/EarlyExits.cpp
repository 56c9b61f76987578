// SPDX-License-Identifier: Apache-2.0
#include "slice/EarlyExits.h"

#include <algorithm>

namespace forerun::slicer {

namespace {

/// The loop exits that decide whether control reaches this one.
std::set<NodeId> exitsBefore(const ClosureInput &input, NodeId exit) {
  std::set<NodeId> met{exit}, found;
  for (std::vector<NodeId> open{exit}; !open.empty();) {
    const NodeId node = open.back();
    open.pop_back();
    for (const NodeId each : input.control[node]) {
      if (!met.insert(each).second)
        continue;
      if (input.program.nodes[each].leavesLoop)
        found.insert(each);
      else
        open.push_back(each);
    }
  }
  return found;
}

} // namespace

bool EarlyExits::tryAll() {
  bool isAnyKept = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (const NodeId each : std::set(kept_.deferredExits())) {
      if (needs_.isOver() || kept_.isActive(program_.nodes[each].group) ||
          !decided_.insert(each).second)
        continue;
      if (tryOne(each))
        changed = isAnyKept = true;
      else
        changed |= tryThoseBefore(each);
    }
  }
  return isAnyKept;
}

bool EarlyExits::tryOne(NodeId exit) {
  const Cost before = kept_.cost();
  kept_.trial.begin();
  needs_.needGroup(program_.nodes[exit].group, {Reason::Kind::Control, kNone});
  needs_.close();
  const char *why = whyNot(before, exit);
  if (!why) {
    kept_.trial.keep();
    return true;
  }
  kept_.trial.takeBack();
  cuts_.push_back({exit, why});
  return false;
}

/// Of two consecutive exits, what follows depends on the second, and the second on the first. If
/// the second is left out, the first has to be tried on its own, if it leaves a loop of the slice.
/// True if there is such an exit.
bool EarlyExits::tryThoseBefore(NodeId exit) {
  bool isAnyNew = false;
  for (const NodeId each : exitsBefore(input_, exit))
    if (const NodeId loop = program_.nodes[each].loop; loop != kNone && kept_.isPresent(loop))
      isAnyNew |= kept_.addDeferredExit(each);
  return isAnyNew;
}

/// Why the exit is not worth its cost; null if it costs little more than `before`.
const char *EarlyExits::whyNot(const Cost &before, NodeId exit) const {
  const Cost &now = kept_.cost();
  if (now.fetches > before.fetches)
    return "it depends on what is read";
  const bool isHanded = now.receives > before.receives;
  const std::size_t maximum = before.kept + std::max<std::size_t>(8, before.kept / 4);
  if (now.kept <= maximum && (!isHanded || hasNoOtherEnd(exit)))
    return nullptr;
  return isHanded ? "it depends on values that only the main thread has"
                  : "it depends on a lot that nothing else needs";
}

/// Whether the loop would announce forever without this exit: then it is better to wait for the
/// main thread in each iteration. A loop that ends when a read fails is such a loop, since
/// announcements do not fail.
bool EarlyExits::hasNoOtherEnd(NodeId exit) const {
  const NodeId loop = program_.nodes[exit].loop;
  if (loop == kNone)
    return false;
  const auto &calls = input_.callsOf[loop];
  return program_.nodes[loop].isEndless ||
         std::any_of(calls.begin(), calls.end(), [&](CallId each) {
           const FunctionModel *model = program_.calls[each].model;
           return model && model->kind == FunctionModel::Kind::Io;
         });
}

} // namespace forerun::slicer

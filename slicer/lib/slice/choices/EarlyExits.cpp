// SPDX-License-Identifier: Apache-2.0
#include "slice/choices/EarlyExits.h"

#include "analysis/Walks.h"
#include "facts/IoCalls.h"
#include "models/Ids.h"
#include "models/Worklist.h"

#include <llvm/ADT/STLExtras.h>

namespace forerun::slicer {

namespace {

constexpr Growth kLittle{.least = 8, .part = 4}, kMore{.least = 32, .part = 2};

/// The loop exits that decide whether control reaches this one.
std::set<NodeId> exitsBefore(const ClosureInput &input, NodeId exit) {
  std::set<NodeId> found;
  Worklist<NodeId> open{exit};
  while (const auto node = open.next())
    for (const NodeId each : input.control[*node])
      if (!input.program.nodes[each].leavesLoop)
        open.add(each);
      else if (each != exit)
        found.insert(each);
  return found;
}

/// Where control goes on if the exit is taken.
Worklist<NodeId> afterExit(const Node &exit) {
  Worklist<NodeId> result;
  for (const NodeId each : exit.successors)
    if (each != exit.fallThrough) // an operand that holds
      result.add(each);
  return result;
}

} // namespace

bool isReadAfter(const ClosureInput &input, NodeId exit) {
  const Program &program = input.program;
  const auto reads = [&](NodeId node) {
    return llvm::any_of(input.callsOf[node], [&](CallId id) {
      const Call &call = program.calls[id];
      return (input.criteria.has(id) && isRead(call)) || input.criteria.areLedToBy(call);
    });
  };
  Worklist<NodeId> open = afterExit(program.nodes[exit]);
  while (const auto each = open.next()) {
    const Node &node = program.nodes[*each];
    if (reads(*each))
      return true;
    open.addAll(node.successors);
    if (*each == program.functions[node.function].exit)
      for (const CallId caller : program.functions[node.function].callers)
        open.addAll(program.nodes[program.nodeOf(caller)].successors);
  }
  return false;
}

EarlyExits::EarlyExits(const ClosureInput &input, Kept &kept, Needs &needs)
    : Grower(input, kept, needs), groupsOf_(program_.nodes.size()) {
  for (const CallId each : ids(program_.calls))
    if (program_.calls[each].opened != kNone)
      opens_.push_back(each);
  for (const GroupId each : ids(program_.groups))
    if (program_.groups[each].node != kNone)
      groupsOf_[program_.groups[each].node].push_back(each);
}

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
  const std::set<CallId> fetchesBefore = kept_.fetches();
  const auto need = [&] {
    needs_.needGroup(program_.nodes[exit].group, {Reason::Kind::Control, kNone});
    needs_.close();
  };
  const char *why = nullptr;
  if (kept_.trial.attempt(need, [&] { return !(why = whyNot(before, fetchesBefore, exit)); }))
    return true;
  if (decidesLaterValue(exit)) {
    need();
    return true;
  }
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

/// How many conditions may be handed over for the exit: its own, and those of others that come with it.
std::size_t EarlyExits::handedWith(NodeId exit) const {
  return input_.isHandedExit(exit) ? input_.options.exits.size() : 0;
}

/// Why the exit is not worth its cost; null if it costs little more than `before`.
const char *EarlyExits::whyNot(const Cost &before, const std::set<CallId> &fetchesBefore,
                               NodeId exit) const {
  const Cost &now = kept_.cost();
  const std::set<CallId> &fetches = kept_.fetches();
  const bool isFetched = llvm::any_of(fetches, [&](CallId each) {
    return !fetchesBefore.contains(each) && isMadeInLeft(exit, each);
  });
  const bool isHanded = now.values > before.values + handedWith(exit);
  const Growth &growth = endsAnnouncements(exit) ? kLittle : kMore;
  if (growth.allows(now, before) &&
      ((!isFetched && (!isHanded || hasNoOtherEnd(exit))) || endsOpens(exit)))
    return nullptr;
  if (isFetched)
    return "it depends on what is read";
  return isHanded ? "it depends on values that only the main thread has"
                  : "it depends on a lot that nothing else needs";
}

/// The loops of its function that the exit leaves; all around it if it ends the program.
std::vector<NodeId> EarlyExits::loopsLeft(NodeId exit) const {
  const Node &node = program_.nodes[exit];
  const auto isLeft = [&](NodeId loop) {
    return llvm::none_of(node.successors, [&](NodeId each) {
      return each != node.fallThrough && isInLoop(program_, each, loop); // an operand that holds
    });
  };
  std::vector<NodeId> result;
  for (NodeId each = node.loop; each != kNone; each = program_.nodes[each].enclosing)
    if (isLoop(program_.nodes[each].stmt) && isLeft(each))
      result.push_back(each);
  return result;
}

/// Whether one of the loops that the exit leaves makes the call, itself or in a function that it calls.
/// (A call before it is waited for once.) A jump may leave none: then the one around it counts.
bool EarlyExits::isMadeInLeft(NodeId exit, CallId call) const {
  std::vector<NodeId> loops = loopsLeft(exit);
  if (loops.empty())
    loops = {program_.nodes[exit].loop};
  return llvm::any_of(waysTo(program_, call), [&](CallId way) {
    return llvm::any_of(loops, [&](NodeId loop) {
      return loop == kNone || isInLoop(program_, program_.nodeOf(way), loop);
    });
  });
}

/// Whether announcements end with the exit: it leaves no loop, or one in which there are some, or none come
/// after it. Otherwise it decides what is announced next.
bool EarlyExits::endsAnnouncements(NodeId exit) const {
  const std::vector<NodeId> loops = loopsLeft(exit);
  return loops.empty() ||
         llvm::any_of(loops, [&](NodeId loop) { return input_.criteria.around.contains(loop); }) ||
         !isReadAfter(input_, exit);
}

/// Whether a file is opened in one of the loops that the exit leaves. The thread waits for the main thread
/// there: without the exit, for one that never comes.
bool EarlyExits::endsOpens(NodeId exit) const {
  if (loopsLeft(exit).empty() || !isReadAfter(input_, exit))
    return false;
  return llvm::any_of(opens_,
                      [&](CallId id) { return kept_.isCalled(id) && isMadeInLeft(exit, id); });
}

/// Whether the loop leaves a value in a variable of the function that the slice needs after this
/// exit: where a search has ended. Without the exit the value, and what is announced by it, would be
/// wrong; not just too much.
bool EarlyExits::decidesLaterValue(NodeId exit) const {
  const NodeId loop = program_.nodes[exit].loop;
  if (loop == kNone)
    return false;
  const FunctionId function = program_.nodes[exit].function;
  std::set<Range> left;
  for (const NodeId each : program_.functions[function].nodes)
    if (kept_.isPresent(each) && isInLoop(program_, each, loop))
      for (const Access &def : program_.nodes[each].defs)
        for (const Range &range : input_.pointsTo.ranges(def.place))
          if (program_.objects[range.object].owner == function)
            left.insert(range);
  return llvm::any_of(left, [&](const Range &range) { return isNeededAfter(exit, range); });
}

bool EarlyExits::isNeededAfter(NodeId exit, const Range &range) const {
  Worklist<NodeId> open = afterExit(program_.nodes[exit]);
  while (const auto each = open.next()) {
    if (needs(*each, range))
      return true;
    const Node &node = program_.nodes[*each];
    const auto replaces = [&](const Access &def) {
      const PointsTo::Ranges &written = input_.pointsTo.ranges(def.place);
      return written.size() == 1 && written.begin()->covers(range) &&
             input_.pointsTo.isExact(def.place);
    };
    if (node.isOrdered || llvm::none_of(node.defs, replaces))
      open.addAll(node.successors);
  }
  return false;
}

/// Whether what the slice has of the node uses the range.
bool EarlyExits::needs(NodeId node, const Range &range) const {
  const auto uses = [&](const Place &place) {
    const auto used = input_.pointsTo.rangesIn(range.object, place);
    return llvm::any_of(used, [&](const Range &each) { return each.overlaps(range); });
  };
  return !input_.isHanded(node) && llvm::any_of(groupsOf_[node], [&](GroupId id) {
    const Group &group = program_.groups[id];
    return kept_.isActive(id) &&
           (llvm::any_of(group.uses, [&](const Access &use) { return uses(use.place); }) ||
            llvm::any_of(group.copied, uses));
  });
}

/// Whether the loop would announce forever without this exit: then it is better to wait for the
/// main thread in each iteration. A loop that ends when a read fails is such a loop, since
/// announcements do not fail.
bool EarlyExits::hasNoOtherEnd(NodeId exit) const {
  const NodeId loop = program_.nodes[exit].loop;
  if (loop == kNone)
    return false;
  const auto reads = [&](NodeId node) {
    return llvm::any_of(input_.callsOf[node], [&](CallId each) {
      return program_.calls[each].is(FunctionModel::Kind::Io);
    });
  };
  return program_.nodes[loop].isEndless || reads(loop) ||
         llvm::any_of(operandsOf(program_, loop), reads);
}

} // namespace forerun::slicer

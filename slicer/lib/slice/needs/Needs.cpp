// SPDX-License-Identifier: Apache-2.0
#include "slice/needs/Needs.h"

#include "models/Ids.h"
#include "models/Worklist.h"

#include <algorithm>
#include <llvm/ADT/STLExtras.h>
#include <set>

namespace forerun::slicer {

namespace {
/// Those of \p all that are not in \p there; both in rising order.
std::vector<Bits> missing(const std::vector<Bits> &there, const std::vector<Bits> &all) {
  std::vector<Bits> result;
  std::set_difference(all.begin(), all.end(), there.begin(), there.end(),
                      std::back_inserter(result));
  return result;
}
} // namespace

Needs::Needs(const ClosureInput &input, Kept &kept)
    : calls(input, kept, *this), data(input, kept, *this), ways(input, kept, *this), input_(input),
      program_(input.program), kept_(kept) {
  input.options.budget.spend(program_.nodes.size());
}

bool Needs::isOver() {
  input_.options.budget.spend();
  isComplete_ = isComplete_ && !input_.options.budget.isOver();
  return !isComplete_;
}

void Needs::needGroup(GroupId group, Reason reason) {
  if (group != kNone && kept_.addGroup(group, reason))
    open_.push_back(group);
}

void Needs::needBits(GroupId group, Bits bits, Reason reason) {
  needGroup(group, reason);
  if (group == kNone || bits.low >= bits.high)
    return;
  const Group &of = program_.groups[group];
  if ((!of.copied.empty() || !of.copiedResults.empty()) && kept_.addCopy(group, bits))
    openCopies_.emplace_back(group, bits);
}

void Needs::keepNode(NodeId id, GroupId by) {
  if (!kept_.addNode(id, {by == kNone ? Reason::Kind::Criterion : Reason::Kind::Call, by}))
    return;
  const Node &node = program_.nodes[id];
  if (node.enclosing != kNone)
    needGroup(program_.nodes[node.enclosing].group, {Reason::Kind::Enclosing, by});
  for (const NodeId each :
       input_.options.followExits ? input_.control[id] : input_.controlWithoutExits[id])
    needGroup(program_.nodes[each].group, {Reason::Kind::Control, by});
  deferExits(id);
}

/// The early exits that decide whether the node runs: themselves, or by a condition that decides it
/// only because of them (`for (...) if (...) return x;` before the node).
void Needs::deferExits(NodeId node) {
  Worklist<NodeId> open{node};
  while (const auto next = open.next()) {
    const auto &without = input_.controlWithoutExits[*next];
    for (const NodeId each : input_.control[*next])
      if (program_.nodes[each].leavesLoop)
        kept_.addDeferredExit(each);
      else if (!llvm::is_contained(without, each))
        open.add(each);
  }
}

void Needs::close() {
  do {
    while (!(open_.empty() && openCopies_.empty()) && !isOver()) {
      if (!open_.empty()) {
        const GroupId group = open_.back();
        open_.pop_back();
        needWhatGroupNeeds(group);
      } else {
        const auto [group, bits] = openCopies_.back();
        openCopies_.pop_back();
        needWhatCopyNeeds(group, bits);
      }
    }
  } while (!isOver() && (data.passOn() || joinNestedCalls() || joinCopies()));
}

void Needs::needWhatGroupNeeds(GroupId id) {
  const Group &group = program_.groups[id];
  if (program_.nodes[group.node].function == 0)
    return; // initialisers of globals run before main
  if (group.call != kNone)
    calls.keepCall(group.call, id);
  keepNode(group.node, id);
  if (input_.isHanded(group.node) && id == program_.nodes[group.node].group) {
    if (input_.handedAs(group.node) != program_.nodes[group.node].stmt)
      return; // with its condition
    kept_.addReceive();
    ways.keepAllTo(group.node, id);
    return;
  }
  for (const Access &use : group.uses)
    data.needMemory(group.node, use.place, id);
  // Where a file has been opened, for which the thread waits anyway, or the user wants it.
  if (program_.nodes[group.node].kind == Node::Kind::HandedOver)
    ways.keepAllTo(group.node, id);
  for (const GroupId each : group.guards)
    needGroup(each, {Reason::Kind::Data, id});
  for (const CallId each : group.calls) {
    calls.keepCall(each, id);
    calls.needResult(each, id);
  }
  for (const clang::VarDecl *each : group.names)
    if (const auto size = program_.sizes.find(each); size != program_.sizes.end())
      needGroup(size->second, {Reason::Kind::Data, id});
}

/// Needs these bits of what the group copies.
void Needs::needWhatCopyNeeds(GroupId id, Bits bits) {
  const Group &group = program_.groups[id];
  if (program_.nodes[group.node].function == 0)
    return; // initialisers of globals run before main
  for (Place from : group.copied) {
    if (bits.low >= from.size)
      continue;
    from.size = std::min(bits.high, from.size) - bits.low;
    from.offset += bits.low;
    data.needMemory(group.node, from, id);
  }
  for (const CallId each : group.copiedResults)
    for (const FunctionId callee : program_.calls[each].callees)
      for (const GroupId value : input_.returned[callee])
        needBits(value, bits, {Reason::Kind::Result, id});
}

/// A call that runs inside an argument of another call that runs is not extracted from it. True if
/// there is such a call.
bool Needs::joinNestedCalls() {
  bool found = false;
  for (const CallId id : ids(program_.calls)) {
    const GroupId own = program_.calls[id].group;
    if (!kept_.isCalled(id) || kept_.isActive(own))
      continue;
    const Node &node = program_.nodes[program_.groups[own].node];
    bool isInside = false;
    GroupId around = own; // that of the statement, or of the value that it returns
    for (; !isInside && program_.groups[around].call != kNone;
         around = program_.calls[program_.groups[around].call].group)
      isInside = kept_.isCalled(program_.groups[around].call);
    isInside = isInside || kept_.isActive(around);
    if (isInside && node.function != 0) {
      needGroup(own, {Reason::Kind::Call, own});
      found = true;
    }
  }
  return found;
}

/// A function that is lowered once for each call has one clone all the same: what runs in one of
/// those that are called runs in all of them. True if something was missing.
bool Needs::joinCopies() {
  bool found = false;
  for (const FunctionId id : ids(program_.functions)) {
    const Function &first = program_.functions[id];
    if (first.copies.empty())
      continue;
    std::vector<FunctionId> called{id};
    llvm::append_range(called, first.copies);
    std::erase_if(called, [this](FunctionId each) { return !kept_.hasClone(each); });
    if (called.empty())
      continue;
    for (const FunctionId each : llvm::drop_begin(called)) // all to the first, and that to all
      found |= giveTo(program_.functions[called[0]], kept_, program_.functions[each]);
    for (const FunctionId each : llvm::drop_begin(called))
      found |= giveTo(program_.functions[each], kept_, program_.functions[called[0]]);
  }
  return found;
}

bool Needs::giveTo(const Function &to, const Kept &given, const Function &from) {
  bool found = false;
  const auto twinOf = [&](GroupId group) {
    return group >= from.firstGroup && group < from.endGroup
               ? group - from.firstGroup + to.firstGroup
               : group;
  };
  for (const GroupId group : from.groups()) {
    const GroupId twin = twinOf(group);
    if (given.isActive(group) && !kept_.isActive(twin)) {
      const Reason *why = given.why(group);
      needGroup(twin, {why->kind, twinOf(why->by)});
      found = true;
    }
    for (const Bits bits : missing(kept_.copiesOf(twin), given.copiesOf(group))) {
      needBits(twin, bits, {Reason::Kind::Data, twin});
      found = true;
    }
  }
  const std::size_t nodes = from.nodes.size();
  for (std::size_t i = 0; i < nodes; ++i)
    if (given.isPresent(from.nodes[i]) && !kept_.isPresent(to.nodes[i])) {
      keepNode(to.nodes[i], twinOf(given.whyPresent(from.nodes[i])->by));
      found = true;
    }
  for (const CallId id : from.calls()) {
    const CallId twin = id - from.firstCall + to.firstCall;
    const GroupId by = program_.calls[twin].group;
    if (given.isCalled(id) && !kept_.isCalled(twin)) {
      calls.keepCall(twin, by);
      found = true;
    }
    const Call &call = program_.calls[id];
    const int outputs = static_cast<int>(call.arguments.size() + call.changes.size());
    for (int i = kNone; i < outputs; ++i)
      if (given.needsOutput(id, i) && !kept_.needsOutput(twin, i)) {
        calls.needOutput(twin, i, by);
        found = true;
      }
    for (const Bits bits : missing(kept_.copiedBy(twin), given.copiedBy(id))) {
      calls.needCopied(twin, by, bits);
      found = true;
    }
  }
  return found;
}

} // namespace forerun::slicer

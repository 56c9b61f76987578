// SPDX-License-Identifier: Apache-2.0
#include "slice/Closure.h"

#include "analysis/Files.h"
#include "facts/IoCalls.h"

#include <algorithm>

namespace forerun::slicer {

using Form = FunctionModel::Form;
using Kind = FunctionModel::Kind;

Closure::Closure(const Program &program, const PointsTo &pointsTo, const Effects &effects,
                 const ControlDependences &control, const ControlDependences &controlWithoutExits,
                 Options options)
    : program_(program), pointsTo_(pointsTo), effects_(effects), control_(control),
      controlWithoutExits_(controlWithoutExits), processCounts_(program),
      options_(std::move(options)), callsOf_(program.nodes.size()),
      sizes_(program.functions.size()) {
  reset();
  for (const Node &node : program.nodes)
    placeOf_.push_back(sizes_[node.function]++);
  for (CallId id = 0; id < static_cast<CallId>(program.calls.size()); ++id)
    callsOf_[program.groups[program.calls[id].group].node].push_back(id);
  for (GroupId id = 0; id < static_cast<GroupId>(program.groups.size()); ++id)
    if (program.groups[id].isReturnValue)
      returned_[program.nodes[program.groups[id].node].function].push_back(id);
  findCriteria();
  for (const CallId each : criteria_)
    call(each, kNone);
  close();
  for (bool changed = true; changed;)
    changed = tryDeferred() || tryExchanges();
  if (!isComplete_) {
    reset();
    criteria_.clear();
    cuts_.clear();
  }
}

void Closure::reset() {
  state_ = {};
  state_.nodes.resize(program_.nodes.size());
  state_.groups.resize(program_.groups.size());
  state_.calls.resize(program_.calls.size());
}

/// Of the time there is for it.
bool Closure::isOver() {
  isComplete_ = isComplete_ && !options_.deadline.isOver();
  return !isComplete_;
}

/// All reads, and what else is done with the files that are read.
void Closure::findCriteria() {
  const Files files(program_, pointsTo_, effects_);
  std::set<ObjectId> read;
  bool readsUnknown = false;
  const auto isIo = [&](const Call &call) {
    return call.model && call.model->kind == Kind::Io && !call.isCallback && call.caller != 0 &&
           call.model->form != Form::Open && options_.leftOut.count(call.expr) == 0;
  };
  const auto isAnnounced = [](const Call &call) { return isRead(call) && !call.isIgnored; };
  for (CallId id = 0; id < static_cast<CallId>(program_.calls.size()); ++id)
    if (isIo(program_.calls[id]) && isAnnounced(program_.calls[id])) {
      const auto of = files.of(id);
      read.insert(of.begin(), of.end());
      readsUnknown |= of.empty();
      criteria_.push_back(id);
    }
  for (CallId id = 0; id < static_cast<CallId>(program_.calls.size()); ++id) {
    if (!isIo(program_.calls[id]) || isAnnounced(program_.calls[id]) || criteria_.empty() ||
        isOver())
      continue;
    const auto of = files.of(id);
    const bool isForced = options_.forced.count(program_.calls[id].expr) > 0;
    // Of reads that are ignored only those count that move the file pointer, from which others
    // read.
    if (isRead(program_.calls[id]) && program_.calls[id].model->form != Form::Read && !isForced)
      continue;
    if (of.empty() || readsUnknown || files.isReadAfter(id, of) || isForced)
      criteria_.push_back(id);
  }
  for (CallId id = 0; id < static_cast<CallId>(program_.calls.size()); ++id)
    if (program_.calls[id].opened != kNone && options_.forced.count(program_.calls[id].expr) > 0)
      criteria_.push_back(id);
  // Wherever a criterion lies in what is called, the call is needed.
  std::vector<FunctionId> open;
  for (const CallId each : criteria_)
    open.push_back(program_.calls[each].caller);
  while (!open.empty()) {
    const FunctionId function = open.back();
    open.pop_back();
    if (!with_.insert(function).second)
      continue;
    for (const CallId caller : program_.functions[function].callers)
      open.push_back(program_.calls[caller].caller);
  }
  for (const FunctionId function : with_)
    for (const CallId caller : program_.functions[function].callers)
      call(caller, kNone);
}

bool Closure::needsResult(CallId id) const {
  const Call &call = program_.calls[id];
  return state_.calls[id] && call.resultUsed && state_.groups[call.group];
}

bool Closure::needsOutput(CallId call, int argument) const {
  return state_.outputs.count({call, argument}) > 0;
}

bool Closure::needsAnyOutput(CallId call) const {
  const auto first = state_.outputs.lower_bound({call, kNone});
  return first != state_.outputs.end() && first->first == call;
}

Need Closure::needOf(CallId call) const {
  return state_.needs.count({call, Need::Own}) > 0       ? Need::Own
         : state_.needs.count({call, Need::Callers}) > 0 ? Need::Callers
                                                         : Need::None;
}

const Reason *Closure::why(GroupId group) const {
  const auto known = state_.reasons.find(group);
  return known == state_.reasons.end() ? nullptr : &known->second;
}

const Reason *Closure::whyPresent(NodeId node) const {
  const auto known = state_.presences.find(node);
  return known == state_.presences.end() ? nullptr : &known->second;
}

void Closure::set(std::vector<bool> &flags, int index) {
  flags[index] = true;
  if (isTrying_)
    undo_.push_back([&flags, index] { flags[index] = false; });
}

void Closure::takeBack(const Cost &before) {
  for (auto undo = undo_.rbegin(); undo != undo_.rend(); ++undo)
    (*undo)();
  undo_.clear();
  cost_ = before;
}

void Closure::need(GroupId group, Reason reason) {
  if (group == kNone || state_.groups[group])
    return;
  set(state_.groups, group);
  state_.reasons[group] = reason;
  state_.open.push_back(group);
}

void Closure::need(GroupId group, Bits bits, Reason reason) {
  need(group, reason);
  if (group == kNone || bits.low >= bits.high)
    return;
  const Group &of = program_.groups[group];
  if ((!of.copied.empty() || !of.copiedResults.empty()) &&
      insert(state_.copied, std::pair(group, bits)))
    state_.openCopies.emplace_back(group, bits);
}

void Closure::close() {
  do {
    while (!(state_.open.empty() && state_.openCopies.empty()) && !isOver()) {
      if (!state_.open.empty()) {
        const GroupId group = state_.open.back();
        state_.open.pop_back();
        activate(group);
      } else {
        const auto [group, bits] = state_.openCopies.back();
        state_.openCopies.pop_back();
        copy(group, bits);
      }
    }
  } while (!isOver() && joinNested());
}

/// Reads these bits of what the group copies.
void Closure::copy(GroupId id, Bits bits) {
  const Group &group = program_.groups[id];
  if (program_.nodes[group.node].function == 0)
    return; // initialisers of globals run before main
  for (Place from : group.copied) {
    if (bits.low >= from.size)
      continue;
    from.size = std::min(bits.high, from.size) - bits.low;
    from.offset += bits.low;
    read(group.node, from, id);
  }
  for (const CallId each : group.copiedResults)
    for (const FunctionId callee : program_.calls[each].callees)
      for (const GroupId value : returned_[callee])
        need(value, bits, {Reason::Kind::Result, id});
}

/// A call that runs, in an argument of one that runs as well, is not taken out of it.
bool Closure::joinNested() {
  bool found = false;
  for (CallId id = 0; id < static_cast<CallId>(program_.calls.size()); ++id) {
    const GroupId own = program_.calls[id].group;
    if (!state_.calls[id] || state_.groups[own])
      continue;
    bool isInside = state_.groups[program_.nodes[program_.groups[own].node].group];
    for (GroupId each = own; !isInside && program_.groups[each].call != kNone;
         each = program_.calls[program_.groups[each].call].group)
      isInside = state_.calls[program_.groups[each].call];
    if (isInside && program_.nodes[program_.groups[own].node].function != 0) {
      need(own, {Reason::Kind::Call, own});
      found = true;
    }
  }
  return found;
}

/// The statement is there, at least in part: so is what stands around it and decides on it.
void Closure::present(NodeId id, GroupId by) {
  if (state_.nodes[id])
    return;
  set(state_.nodes, id);
  state_.presences[id] = {by == kNone ? Reason::Kind::Criterion : Reason::Kind::Call, by};
  ++cost_.kept;
  const Node &node = program_.nodes[id];
  if (node.enclosing != kNone)
    need(program_.nodes[node.enclosing].group, {Reason::Kind::Enclosing, by});
  for (const NodeId each : options_.followExits ? control_[id] : controlWithoutExits_[id])
    need(program_.nodes[each].group, {Reason::Kind::Control, by});
  for (const NodeId each : control_[id])
    if (program_.nodes[each].leavesLoop)
      insert(state_.deferred, each);
}

void Closure::activate(GroupId id) {
  const Group &group = program_.groups[id];
  if (program_.nodes[group.node].function == 0)
    return; // initialisers of globals run before main
  if (group.call != kNone)
    call(group.call, id);
  present(group.node, id);
  for (const Access &use : group.uses)
    read(group.node, use.place, id);
  if (program_.nodes[group.node].kind == Node::Kind::HandedOver)
    ++cost_.receives;
  for (const CallId each : group.calls) {
    call(each, id);
    result(each, id);
  }
  for (const clang::VarDecl *each : group.names)
    if (const auto size = program_.sizes.find(each); size != program_.sizes.end())
      need(size->second, {Reason::Kind::Data, id});
}

void Closure::read(NodeId node, const Place &place, GroupId by) {
  for (const Range &range : pointsTo_.ranges(place)) {
    if (program_.nodes[node].isOrdered)
      searchNode(node, range, by, Need::Own);
    for (const NodeId before : program_.nodes[node].predecessors)
      search(before, range, by, Need::Own);
  }
}

/// Looks for the writes of `range` that reach the end of `node`.
void Closure::search(NodeId node, const Range &range, GroupId by, Need whose) {
  const FunctionId function = program_.nodes[node].function;
  std::vector<bool> &searched = state_.searched[{function, range, whose}];
  searched.resize(sizes_[function]);
  std::vector<NodeId> open{node};
  while (!open.empty() && !isOver()) {
    const NodeId each = open.back();
    open.pop_back();
    if (searched[placeOf_[each]])
      continue;
    set(searched, placeOf_[each]);
    if (searchNode(each, range, by, whose))
      continue;
    // The search of a caller goes on there by itself.
    if (program_.nodes[each].kind == Node::Kind::Entry && whose == Need::Own)
      atEntry(function, range, by);
    const auto &before = program_.nodes[each].predecessors;
    open.insert(open.end(), before.begin(), before.end());
  }
}

/// The part of `written` that `range` asks for, from the start of `written`.
static Bits part(const Range &range, const Range &written) {
  return {std::max(range.low, written.low) - written.low,
          std::min(range.high, written.high) - written.low};
}

/// True if the node surely replaces all of `range`.
bool Closure::searchNode(NodeId id, const Range &range, GroupId by, Need whose) {
  const Node &node = program_.nodes[id];
  bool isReplaced = false;
  for (const Access &def : node.defs)
    for (const Range &written : pointsTo_.ranges(def.place)) {
      if (!written.overlaps(range))
        continue;
      if (def.call != kNone)
        output(def.call, def.argument, by, whose);
      else
        need(def.group, part(range, written), {Reason::Kind::Data, by});
      const bool isExact =
          pointsTo_.isExact(def.place) || (def.fillsArray && !options_.allowShortReads);
      isReplaced |= !node.isOrdered && written.covers(range) && isExact;
    }
  for (const CallId each : callsOf_[id])
    for (const FunctionId callee : program_.calls[each].callees)
      if (effects_.modifies(each, callee, range)) {
        call(each, by);
        insert(state_.needs, std::pair(each, whose));
        for (const NodeId last : program_.nodes[program_.functions[callee].exit].predecessors)
          search(last, range, by, Need::Callers);
      }
  return isReplaced;
}

void Closure::atEntry(FunctionId function, const Range &range, GroupId by) {
  if (!insert(state_.atEntry[function], range))
    return;
  const auto callers = state_.callers[function];
  for (const CallId each : callers)
    passEntry(each, function, range, by);
}

} // namespace forerun::slicer

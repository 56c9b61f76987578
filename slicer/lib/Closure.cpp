// SPDX-License-Identifier: Apache-2.0
#include "Closure.h"

#include "Files.h"
#include "IoCalls.h"
#include "Requests.h"

#include <algorithm>

namespace forerun::slicer {

using Form = FunctionModel::Form;
using Kind = FunctionModel::Kind;

Closure::Closure(const Program &program, const PointsTo &pointsTo, const Effects &effects,
                 const ControlDependences &control, const ControlDependences &controlWithoutExits,
                 Options options)
    : program_(program), pointsTo_(pointsTo), effects_(effects), control_(control),
      controlWithoutExits_(controlWithoutExits), options_(std::move(options)),
      callsOf_(program.nodes.size()), sizes_(program.functions.size()) {
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
  tryDeferred();
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

/// True if it was not there. Taken back with the rest if the trial under way fails.
template <class Set, class Value> bool Closure::insert(Set &set, const Value &value) {
  const bool isNew = set.insert(value).second;
  if (isNew && isTrying_)
    undo_.push_back([&set, value] { set.erase(value); });
  return isNew;
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
  for (const NodeId each : options_.strict ? control_[id] : controlWithoutExits_[id])
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
      const bool isExact = pointsTo_.isExact(def.place) || (def.fillsArray && !options_.strict);
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

void Closure::passEntry(CallId id, FunctionId callee, const Range &range, GroupId by) {
  const Object &object = program_.objects[range.object];
  const Call &made = program_.calls[id];
  if (object.owner == callee && object.parameter != kNone) {
    const bool isRest = range.object == program_.functions[callee].variadic;
    for (int i = object.parameter; i < static_cast<int>(made.arguments.size()); ++i) {
      argument(id, i, by, isRest ? Bits{} : Bits{range.low, range.high});
      if (!isRest)
        break;
    }
  } else if (object.owner != callee || object.isStatic) {
    const NodeId node = program_.groups[made.group].node;
    if (program_.nodes[node].isOrdered)
      searchNode(node, range, by, Need::Own);
    for (const NodeId before : program_.nodes[node].predecessors)
      search(before, range, by, Need::Own);
  }
}

void Closure::argument(CallId call, int index, GroupId by, Bits bits) {
  const auto &arguments = program_.calls[call].arguments;
  if (index >= 0 && index < static_cast<int>(arguments.size()))
    need(arguments[index], bits, {Reason::Kind::Argument, by});
}

void Closure::call(CallId id, GroupId by) {
  if (state_.calls[id])
    return;
  const Call &made = program_.calls[id];
  if (made.isCallback && made.model->kind != Kind::Pure && made.model->kind != Kind::StandIn)
    return;
  set(state_.calls, id);
  const NodeId node = program_.groups[made.group].node;
  if (program_.nodes[node].isConditional || made.pointer != kNone)
    need(made.group, {by == kNone ? Reason::Kind::Criterion : Reason::Kind::Call, by});
  else
    present(node, by);
  for (const FunctionId callee : made.callees) {
    if (isEnd(callee) && made.pointer == kNone)
      continue;
    insert(state_.clones, callee);
    state_.callers[callee].push_back(id);
    if (isTrying_)
      undo_.push_back([this, callee] { state_.callers[callee].pop_back(); });
    for (const Range &range : std::set(state_.atEntry[callee]))
      passEntry(id, callee, range, made.group);
  }
  if (made.callees.empty() && made.pointer == kNone)
    libraryCall(id);
}

/// Called when what contains the call is needed.
void Closure::result(CallId id, GroupId by) {
  const Call &made = program_.calls[id];
  if (!state_.calls[id] || !made.resultUsed)
    return;
  const auto &copied = program_.groups[made.group].copiedResults;
  const bool isCopied = std::find(copied.begin(), copied.end(), id) != copied.end();
  for (const FunctionId callee : made.callees)
    if (insert(state_.results, callee) || !isCopied)
      for (const GroupId value : returned_[callee])
        need(value, isCopied ? Bits{0, 0} : Bits{}, {Reason::Kind::Result, by});
  const Kind kind = made.model ? made.model->kind : Kind::Forward;
  if (made.callees.empty() && (kind == Kind::Forward || kind == Kind::Visible))
    ++cost_.receives;
}

void Closure::libraryCall(CallId id) {
  const Call &made = program_.calls[id];
  const Kind kind = made.model ? made.model->kind : Kind::Forward;
  if (kind == Kind::Io) {
    ioCall(id);
  } else if (kind == Kind::Pure || kind == Kind::StandIn) {
    for (int i = 0; i < static_cast<int>(made.arguments.size()); ++i)
      argument(id, i, made.group);
    for (const Access &use : made.uses)
      read(program_.groups[made.group].node, use.place, made.group);
  }
}

void Closure::ioCall(CallId id) {
  const Call &made = program_.calls[id];
  const IoArguments *at = ioArguments(made.name);
  if (!at || made.model->form == Form::Sync)
    return;
  for (const int i : {at->file, at->offset, at->count, at->type, at->whence, at->etype,
                      at->filetype, at->datarep})
    argument(id, i, made.group);
  if (made.model->form == Form::View) // the text of datarep
    read(program_.groups[made.group].node, made.uses.empty() ? Place{} : made.uses[0].place,
         made.group);
}

/// What the call writes through its argument (kNone: hidden state) is needed.
void Closure::output(CallId id, int index, GroupId by, Need whose) {
  const Call &made = program_.calls[id];
  insert(state_.needs, std::pair(id, whose));
  const bool isFirst = !needsAnyOutput(id);
  if (!insert(state_.outputs, std::pair(id, index)))
    return;
  call(id, by);
  argument(id, index, by);
  const Kind kind = made.model ? made.model->kind : Kind::Forward;
  if (isRead(made)) {
    // Its bytes are fetched: they need a place, also if only the status tells something.
    argument(id, ioArguments(made.name)->buffer, by);
    cost_.fetches += isFirst;
  } else if (kind == Kind::Forward || kind == Kind::Visible) {
    cost_.receives += isFirst;
    if (made.model && made.model->nonblocking)
      for (const CallId each : completionsOf(program_, pointsTo_, id))
        call(each, made.group);
  }
}

/// An early exit belongs to the slice if what decides it costs little beyond what is there.
void Closure::tryDeferred() {
  std::set<NodeId> decided;
  for (bool changed = true; changed;) {
    changed = false;
    for (const NodeId each : std::set(state_.deferred)) {
      const GroupId group = program_.nodes[each].group;
      if (isOver() || state_.groups[group] || !decided.insert(each).second)
        continue;
      const Cost before = cost_;
      isTrying_ = true;
      need(group, {Reason::Kind::Control, kNone});
      close();
      isTrying_ = false;
      if (isCheap(before, each)) {
        undo_.clear();
        changed = true;
        continue;
      }
      const bool isRead = cost_.fetches > before.fetches;
      const bool isHanded = cost_.receives > before.receives;
      takeBack(before);
      cuts_.push_back({each, isRead     ? "it depends on what is read"
                             : isHanded ? "it depends on values that only the main thread has"
                                        : "it depends on much that nothing else needs"});
    }
  }
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

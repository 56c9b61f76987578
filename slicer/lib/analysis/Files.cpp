// SPDX-License-Identifier: Apache-2.0
#include "analysis/Files.h"

#include "facts/IoCalls.h"
#include "models/Ids.h"
#include "models/Worklist.h"

#include <algorithm>

namespace forerun::slicer {

namespace {

/// Maximum size of a search; if the calls of open are farther away, points-to is good enough.
constexpr std::size_t kMostSeen = 50'000;

bool meet(const std::set<ObjectId> &one, const std::set<ObjectId> &other) {
  return std::any_of(one.begin(), one.end(), [&](ObjectId each) { return other.count(each) > 0; });
}

} // namespace

Files::Files(const Program &program, const PointsTo &pointsTo, const Effects &effects,
             Budget budget)
    : program_(program), pointsTo_(pointsTo), effects_(effects), budget_(std::move(budget)),
      callsOf_(callsByNode(program)) {
  findReads();
}

/// The memory that the argument's value is loaded from: the last that is read to evaluate it.
const Place *Files::valueOf(CallId call, int argument) const {
  const auto &arguments = program_.calls[call].arguments;
  if (argument >= static_cast<int>(arguments.size()))
    return nullptr;
  const auto &uses = program_.groups[arguments[argument]].uses;
  return uses.empty() ? nullptr : &uses.back().place;
}

const Place *Files::handleOf(CallId id) const {
  const Call &call = program_.calls[id];
  if (call.name != "MPI_File_close")
    return valueOf(id, 0);
  for (const Access &def : program_.nodes[program_.groups[call.group].node].defs)
    if (def.call == id && def.argument == 0)
      return &def.place;
  return nullptr;
}

std::set<ObjectId> Files::of(CallId call) const {
  const auto targets = pointsTo_.targets(program_.calls[call].file);
  std::set<ObjectId> all(targets.begin(), targets.end());
  const Place *handle = handleOf(call);
  if (all.size() < 2 || !handle)
    return all;
  Search search;
  follow(search, program_.groups[program_.calls[call].group].node, *handle);
  while (!search.open.empty() && search.isKnown) {
    budget_.spend();
    const auto [node, range] = search.open.back();
    search.open.pop_back();
    if (!search.seen.insert({node, range}).second || visit(search, node, range))
      continue;
    search.isKnown &= search.seen.size() < kMostSeen;
    if (program_.nodes[node].kind == Node::Kind::Entry)
      leave(search, program_.nodes[node].function, range);
    for (const NodeId before : program_.nodes[node].predecessors)
      search.open.emplace_back(before, range);
  }
  return search.isKnown && !search.found.empty() ? search.found : all;
}

void Files::follow(Search &search, NodeId node, const Place &place) const {
  for (const Range &range : pointsTo_.ranges(place))
    for (const NodeId before : program_.nodes[node].predecessors)
      search.open.emplace_back(before, range);
}

/// True if no value from before the node can remain in `range` after it.
bool Files::visit(Search &search, NodeId id, const Range &range) const {
  const Node &node = program_.nodes[id];
  bool isReplaced = false;
  for (const Access &def : node.defs)
    for (const Range &written : pointsTo_.rangesIn(range.object, def.place)) {
      if (!written.overlaps(range))
        continue;
      isReplaced |= !node.isConditional && written.covers(range) && pointsTo_.isExact(def.place);
      if (def.call == kNone || !program_.calls[def.call].model)
        search.isKnown = false; // a copy of a handle: left to points-to
      else if (program_.calls[def.call].opened != kNone)
        search.found.insert(program_.calls[def.call].opened);
    }
  for (const CallId each : callsOf_[id])
    for (const FunctionId callee : program_.calls[each].callees)
      if (effects_.modifies(each, callee, range))
        for (const NodeId last : program_.nodes[program_.functions[callee].exit].predecessors)
          search.open.emplace_back(last, range);
  return isReplaced;
}

/// Continues in the callers: with the argument, if the range is a parameter.
void Files::leave(Search &search, FunctionId function, const Range &range) const {
  const Object &object = program_.objects[range.object];
  for (const CallId caller : program_.functions[function].callers) {
    const NodeId node = program_.groups[program_.calls[caller].group].node;
    if (object.owner == function && object.parameter != kNone) {
      if (const Place *value = valueOf(caller, object.parameter))
        follow(search, node, *value);
      else
        search.isKnown = false;
    }
    if (!object.endsWith(function)) {
      for (const NodeId before : program_.nodes[node].predecessors)
        search.open.emplace_back(before, range);
    }
  }
}

void Files::findReads() {
  std::map<FunctionId, std::set<FunctionId>> callers;
  for (const CallId id : ids(program_.calls)) {
    const Call &call = program_.calls[id];
    for (const FunctionId callee : call.callees)
      callers[callee].insert(call.caller);
    if (isRead(call) && !call.isIgnored) {
      const auto files = of(id);
      readAt_[program_.groups[call.group].node].insert(files.begin(), files.end());
      readIn_[call.caller].insert(files.begin(), files.end());
    }
  }
  std::vector<FunctionId> open;
  for (const auto &[function, files] : readIn_)
    open.push_back(function);
  while (!open.empty()) {
    const FunctionId callee = open.back();
    open.pop_back();
    const auto files = readIn_[callee];
    for (const FunctionId caller : callers[callee]) {
      auto &known = readIn_[caller];
      const auto before = known.size();
      known.insert(files.begin(), files.end());
      if (known.size() > before)
        open.push_back(caller);
    }
  }
}

bool Files::isReadAfter(CallId call, const std::set<ObjectId> &files) const {
  Worklist<NodeId> open;
  const auto leaveNode = [&](NodeId node) { open.addAll(program_.nodes[node].successors); };
  leaveNode(program_.groups[program_.calls[call].group].node);
  while (const auto node = open.next()) {
    budget_.spend();
    if (const auto here = readAt_.find(*node); here != readAt_.end() && meet(here->second, files))
      return true;
    for (const CallId each : callsOf_[*node])
      for (const FunctionId callee : program_.calls[each].callees)
        if (const auto inside = readIn_.find(callee);
            inside != readIn_.end() && meet(inside->second, files))
          return true;
    if (program_.nodes[*node].kind == Node::Kind::Exit)
      for (const CallId caller : program_.functions[program_.nodes[*node].function].callers)
        leaveNode(program_.groups[program_.calls[caller].group].node);
    leaveNode(*node);
  }
  return false;
}

} // namespace forerun::slicer

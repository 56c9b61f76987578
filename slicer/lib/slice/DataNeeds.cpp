// SPDX-License-Identifier: Apache-2.0
#include "slice/DataNeeds.h"

#include "slice/Needs.h"

#include <algorithm>
#include <llvm/ADT/SmallVector.h>

namespace forerun::slicer {

namespace {

llvm::BitVector reachedFromEntries(const Program &program) {
  llvm::BitVector result(static_cast<unsigned>(program.nodes.size()));
  std::vector<NodeId> open;
  for (const Function &each : program.functions)
    if (each.entry != kNone)
      open.push_back(each.entry);
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    if (result.test(static_cast<unsigned>(node)))
      continue;
    result.set(static_cast<unsigned>(node));
    const auto &next = program.nodes[node].successors;
    open.insert(open.end(), next.begin(), next.end());
  }
  return result;
}

/// For each node the nearest before it that is a call of the program's functions, has not exactly one
/// predecessor, or is an entry.
std::vector<NodeId> lastSteps(const ClosureInput &input) {
  const Program &program = input.program;
  const auto isStep = [&](NodeId id) {
    const Node &node = program.nodes[id];
    return node.predecessors.size() != 1 || node.kind == Node::Kind::Entry ||
           std::any_of(input.callsOf[id].begin(), input.callsOf[id].end(),
                       [&](CallId each) { return !program.calls[each].callees.empty(); });
  };
  std::vector<NodeId> result(program.nodes.size(), kNone);
  std::vector<NodeId> way;
  for (const NodeId id : ids(program.nodes)) {
    NodeId last = id;
    for (way.clear(); result[last] == kNone && !isStep(last);) {
      way.push_back(last);
      result[last] = last; // in a circle that nothing enters
      last = program.nodes[last].predecessors.front();
    }
    last = result[last] == kNone ? last : result[last];
    result[last] = last;
    for (const NodeId each : way)
      result[each] = last;
  }
  return result;
}

/// Puts the flag there, and makes room for it. True if it was not there.
bool setIn(Trial &trial, llvm::BitVector &flags, unsigned index) {
  if (flags.size() <= index)
    flags.resize(std::max(index + 1, 2 * flags.size()));
  return trial.set(flags, static_cast<int>(index));
}

/// The part of `written` that `range` asks for, from the start of `written`.
Bits partOf(const Range &written, const Range &range) {
  return {std::max(range.low, written.low) - written.low,
          std::min(range.high, written.high) - written.low};
}

} // namespace

DataNeeds::DataNeeds(const ClosureInput &input, Kept &kept, Needs &needs)
    : input_(input), program_(input.program), kept_(kept), needs_(needs),
      sizes_(program_.functions.size()), isReached_(reachedFromEntries(program_)),
      lastStep_(lastSteps(input)), stepOf_(program_.nodes.size()), steps_(sizes_.size()),
      passed_(sizes_.size()), callers_(program_.functions.size()),
      atEntry_(program_.functions.size()) {
  for (const Node &node : program_.nodes)
    placeOf_.push_back(static_cast<int>(sizes_[node.function]++));
  for (const NodeId id : ids(program_.nodes))
    if (lastStep_[id] == id)
      stepOf_[id] = steps_[program_.nodes[id].function]++;
}

void DataNeeds::needMemory(NodeId node, const Place &place, GroupId by) {
  for (const Range &range : input_.pointsTo.ranges(place))
    searchBefore(node, range, by);
}

void DataNeeds::searchBefore(NodeId node, const Range &range, GroupId by) {
  if (program_.nodes[node].isOrdered)
    searchIn(node, range, by, Need::Own);
  for (const NodeId before : program_.nodes[node].predecessors)
    searchFrom(before, range, by, Need::Own);
}

unsigned DataNeeds::numberOf(const Range &range) {
  const auto [known, isNew] = numbers_.try_emplace({range.object, range.low, range.high},
                                                   static_cast<unsigned>(ranges_.size()));
  if (isNew)
    ranges_.push_back(range);
  return known->second;
}

llvm::BitVector &DataNeeds::searchedFor(FunctionId function, const Range &range, Need whose) {
  const auto [known, isNew] = searchOf_.try_emplace({function, numberOf(range), whose},
                                                    static_cast<unsigned>(searched_.size()));
  if (isNew)
    searched_.emplace_back(sizes_[function]);
  return searched_[known->second];
}

/// Looks for the writes of `range` that reach the end of `node`.
void DataNeeds::searchFrom(NodeId node, const Range &range, GroupId by, Need whose) {
  const FunctionId function = program_.nodes[node].function;
  if (!input_.effects.mayModify(function, range.object)) {
    // Nothing between the entry and here matters. Large programs are mostly this.
    if (whose == Need::Own && isReached_.test(static_cast<unsigned>(node)))
      needAtEntry(function, range, by);
    return;
  }
  if (needs_.isOver())
    return;
  if (input_.effects.modifiesItself(function, range.object))
    searchWrites(node, range, by, whose);
  else
    searchCalls(node, range, by, whose);
}

void DataNeeds::searchWrites(NodeId node, const Range &range, GroupId by, Need whose) {
  const FunctionId function = program_.nodes[node].function;
  llvm::BitVector &searched = searchedFor(function, range, whose);
  llvm::SmallVector<NodeId, 16> open{node};
  while (!open.empty()) {
    const NodeId each = open.back();
    open.pop_back();
    if (!kept_.trial.set(searched, placeOf_[each]) || searchIn(each, range, by, whose))
      continue;
    // The search of a caller goes on there by itself.
    if (program_.nodes[each].kind == Node::Kind::Entry && whose == Need::Own)
      needAtEntry(function, range, by);
    const auto &before = program_.nodes[each].predecessors;
    open.append(before.begin(), before.end());
  }
}

/// The same where the function itself does not write the range.
void DataNeeds::searchCalls(NodeId node, const Range &range, GroupId by, Need whose) {
  const FunctionId function = program_.nodes[node].function;
  llvm::BitVector &passed = passed_[function];
  const unsigned row = 2 * steps_[function] * numberOf(range) + (whose == Need::Own ? 1 : 0);
  llvm::SmallVector<NodeId, 16> open{lastStep_[node]};
  while (!open.empty()) {
    const NodeId each = open.back();
    open.pop_back();
    if (!setIn(kept_.trial, passed, row + 2 * stepOf_[each]))
      continue;
    searchInCallees(each, range, by, whose);
    if (program_.nodes[each].kind == Node::Kind::Entry && whose == Need::Own)
      needAtEntry(function, range, by);
    for (const NodeId before : program_.nodes[each].predecessors)
      open.push_back(lastStep_[before]);
  }
}

/// True if the node certainly replaces all of `range`.
bool DataNeeds::searchIn(NodeId id, const Range &range, GroupId by, Need whose) {
  const Node &node = program_.nodes[id];
  bool isReplaced = false;
  for (const Access &def : node.defs)
    for (const Range &written : input_.pointsTo.ranges(def.place)) {
      if (!written.overlaps(range))
        continue;
      if (def.call != kNone)
        needs_.calls.needOutput(def.call, def.argument, by, whose);
      else
        needs_.needBits(def.group, partOf(written, range), {Reason::Kind::Data, by});
      const bool isExact =
          input_.pointsTo.isExact(def.place) || (def.fillsArray && !input_.options.allowShortReads);
      isReplaced |= !node.isOrdered && written.covers(range) && isExact;
    }
  searchInCallees(id, range, by, whose);
  return isReplaced;
}

void DataNeeds::searchInCallees(NodeId id, const Range &range, GroupId by, Need whose) {
  for (const CallId each : input_.callsOf[id])
    if (program_.calls[each].allocated == range.object)
      searchAllocation(each, range, by);
  for (const CallId each : input_.callsOf[id])
    for (const FunctionId callee : program_.calls[each].callees)
      if (input_.effects.modifies(each, callee, range)) {
        needs_.calls.keepCall(each, by);
        kept_.addNeed(each, whose);
        for (const NodeId last : program_.nodes[program_.functions[callee].exit].predecessors)
          searchFrom(last, range, by, Need::Callers);
      }
}

/// What one of the program's own allocators leaves in the memory that it gives.
void DataNeeds::searchAllocation(CallId id, const Range &range, GroupId by) {
  const Call &call = program_.calls[id];
  Place inside;
  inside.pointer = call.allocatedInside;
  needs_.calls.keepCall(id, by);
  for (Range each : input_.pointsTo.ranges(inside)) {
    each.low = range.low;
    each.high = range.high;
    for (const NodeId last : program_.nodes[program_.functions[call.callees[0]].exit].predecessors)
      searchFrom(last, each, by, Need::Callers);
  }
}

void DataNeeds::addCaller(CallId call, FunctionId callee) {
  kept_.trial.append(callers_[callee], call);
  // A copy: what is added meanwhile is asked of all callers, this one included.
  const llvm::BitVector needed = atEntry_[callee];
  for (const unsigned each : needed.set_bits())
    needAtCall(call, callee, Range(ranges_[each]), program_.calls[call].group);
}

void DataNeeds::needAtEntry(FunctionId function, const Range &range, GroupId by) {
  if (!setIn(kept_.trial, atEntry_[function], numberOf(range)))
    return;
  const auto callers = callers_[function]; // a copy: one that is added meanwhile is asked then
  for (const CallId each : callers)
    needAtCall(each, function, range, by);
}

/// The callee needs `range` at entry: of its parameters the arguments, of other memory what is in
/// it at the call.
void DataNeeds::needAtCall(CallId id, FunctionId callee, const Range &range, GroupId by) {
  const Object &object = program_.objects[range.object];
  const Call &call = program_.calls[id];
  if (object.owner == callee && object.parameter != kNone) {
    const bool isRest = range.object == program_.functions[callee].variadic;
    for (int i = object.parameter; i < static_cast<int>(call.arguments.size()); ++i) {
      needs_.calls.needArgument(id, i, by, isRest ? Bits{} : Bits{range.low, range.high});
      if (!isRest)
        break;
    }
  } else if (object.owner != callee || object.isStatic) {
    searchBefore(input_.nodeOf(id), range, by);
  }
}

} // namespace forerun::slicer

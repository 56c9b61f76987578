// SPDX-License-Identifier: Apache-2.0
#include "slice/needs/Needs.h"

#include <algorithm>
#include <llvm/ADT/SmallVector.h>

namespace forerun::slicer {

namespace {

/// The part of `written` that `range` asks for, relative to the start of `written`.
Bits partOf(const Range &written, const Range &range) {
  return {std::max(range.low, written.low) - written.low,
          std::min(range.high, written.high) - written.low};
}

} // namespace

void DataNeeds::needMemory(NodeId node, const Place &place, GroupId by) {
  for (const Range &range : input_.pointsTo.ranges(place))
    searchBefore(node, range, by);
}

void DataNeeds::searchBefore(NodeId node, const Range &range, GroupId by) {
  if (program_.nodes[node].isOrdered)
    searchIn(node, range, by);
  for (const NodeId before : program_.nodes[node].predecessors)
    searchFrom(before, range, by, Whose::Own);
}

unsigned DataNeeds::numberOf(const Range &range) {
  const auto [known, isNew] = numbers_.try_emplace({range.object, range.low, range.high},
                                                   static_cast<unsigned>(ranges_.size()));
  if (isNew) {
    ranges_.push_back(range);
    needOf_.push_back(kNone);
    classify(known->second);
  }
  return known->second;
}

llvm::BitVector &DataNeeds::searchedFor(FunctionId function, unsigned number, Whose whose) {
  const auto [known, isNew] =
      searchOf_.try_emplace({function, number, whose}, static_cast<unsigned>(searched_.size()));
  if (isNew)
    searched_.emplace_back(sizes_[function]);
  return searched_[known->second];
}

/// Looks for the writes of `range` that reach the end of `node`.
void DataNeeds::searchFrom(NodeId node, const Range &range, GroupId by, Whose whose) {
  const unsigned number = numberOf(range);
  const FunctionId function = program_.nodes[node].function;
  if (areShared_.test(number)) {
    needOf_[number] = by;
    arrive(node, number, whose);
  } else if (input_.effects.mayModify(function, range.object)) {
    searchWrites(node, range, by, whose);
  } else if (whose == Whose::Own && isReached_.test(static_cast<unsigned>(node))) {
    // Nothing between the entry and here matters.
    needAtEntry(function, range, by);
  }
}

void DataNeeds::searchWrites(NodeId node, const Range &range, GroupId by, Whose whose) {
  const FunctionId function = program_.nodes[node].function;
  llvm::BitVector &searched = searchedFor(function, numberOf(range), whose);
  if (searched.test(static_cast<unsigned>(placeOf_[node])) || needs_.isOver())
    return;
  llvm::SmallVector<NodeId, 16> open{node};
  while (!open.empty()) {
    const NodeId each = open.back();
    open.pop_back();
    input_.options.budget.spend();
    if (!kept_.trial.set(searched, placeOf_[each]) || searchIn(each, range, by))
      continue;
    // A caller's search continues in the caller by itself.
    if (program_.nodes[each].kind == Node::Kind::Entry && whose == Whose::Own)
      needAtEntry(function, range, by);
    const auto &before = program_.nodes[each].predecessors;
    open.append(before.begin(), before.end());
  }
}

/// True if the node certainly replaces all of `range`.
bool DataNeeds::searchIn(NodeId id, const Range &range, GroupId by) {
  const Node &node = program_.nodes[id];
  bool isReplaced = false;
  for (const Access &def : node.defs)
    for (const Range &written : input_.pointsTo.rangesIn(range.object, def.place)) {
      if (!written.overlaps(range))
        continue;
      if (def.argument == kCopied)
        needs_.calls.needCopied(def.call, by, partOf(written, range));
      else if (def.call != kNone)
        needs_.calls.needOutput(def.call, def.argument, by);
      else
        needs_.needBits(def.group, partOf(written, range), {Reason::Kind::Data, by});
      const bool isExact =
          input_.pointsTo.isExact(def.place) || (def.fillsArray && !input_.options.allowShortReads);
      isReplaced |= !node.isOrdered && written.covers(range) && isExact;
    }
  for (const CallId each : input_.callsOf[id])
    if (program_.calls[each].allocated == range.object)
      searchAllocation(each, by);
  for (const CallId each : input_.callsOf[id])
    for (const FunctionId callee : program_.calls[each].callees)
      if (input_.effects.modifies(each, callee, range)) {
        needs_.calls.keepCall(each, by);
        kept_.addNeed(each);
        if (!input_.isPassedTo(callee, each))
          continue;
        for (const NodeId last : program_.nodes[program_.functions[callee].exit].predecessors)
          searchFrom(last, range, by, Whose::Callers);
      }
  return isReplaced;
}

/// Needs what one of the program's own allocators leaves in the memory that it returns; where in
/// that memory is not known if it is a piece of an arena.
void DataNeeds::searchAllocation(CallId id, GroupId by) {
  const Call &call = program_.calls[id];
  Place inside;
  inside.pointer = call.allocatedInside;
  needs_.calls.keepCall(id, by);
  for (Range each : input_.pointsTo.ranges(inside)) {
    each.low = 0;
    each.high = kEnd;
    for (const NodeId last : program_.nodes[program_.functions[call.callees[0]].exit].predecessors)
      searchFrom(last, each, by, Whose::Callers);
  }
}

void DataNeeds::addCaller(CallId call, FunctionId callee) {
  kept_.trial.append(callers_[callee], call);
  // A copy: needs that are added meanwhile are passed to all callers, including this one.
  Numbers needed = entries_[callee].passed, passing = needed;
  passing &= areShared_;
  needed.reset(passing);
  for (const unsigned each : needed.set_bits())
    needAtCall(call, callee, Range(ranges_[each]), program_.calls[call].group);
  if (passing.any())
    passToCaller(call, callee, passing);
}

void DataNeeds::addLeanCaller(CallId call, FunctionId callee) {
  if (const auto known = input_.lean.atEntry.find(callee); known != input_.lean.atEntry.end())
    for (const Range &each : known->second)
      needAtCall(call, callee, each, program_.calls[call].group);
}

std::vector<Range> DataNeeds::neededAtEntry(FunctionId function) const {
  std::vector<Range> result;
  for (const unsigned each : entries_[function].passed.set_bits())
    result.push_back(ranges_[each]);
  std::sort(result.begin(), result.end());
  return result;
}

void DataNeeds::needAtEntry(FunctionId function, const Range &range, GroupId by) {
  const unsigned number = numberOf(range);
  Numbers &known = entries_[function].passed;
  if (known.size() <= number)
    known.resize(std::max(number + 1, 2 * known.size()));
  if (!kept_.trial.set(known, static_cast<int>(number)))
    return;
  const auto callers = callers_[function]; // a copy: a caller that is added meanwhile is asked then
  for (const CallId each : callers)
    needAtCall(each, function, range, by);
}

/// The callee needs `range` at entry: for a parameter this means the argument, for other memory its
/// contents at the call.
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
  }
  if (!object.endsWith(callee) && input_.effects.reaches(id, callee, range.object)) {
    searchBefore(program_.nodeOf(id), range, by);
  }
}

} // namespace forerun::slicer

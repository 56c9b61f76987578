// SPDX-License-Identifier: Apache-2.0
// The part of DataNeeds that passes sets of ranges from call to call.
#include "models/Ids.h"
#include "slice/needs/Needs.h"

#include <algorithm>
#include <llvm/ADT/STLExtras.h>
#include <utility>

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

/// For each node, the nearest node before it, or itself, that calls a function of the program, is
/// an entry, or does not have exactly one predecessor.
std::vector<NodeId> lastSteps(const ClosureInput &input) {
  const Program &program = input.program;
  const auto isStep = [&](NodeId id) {
    const Node &node = program.nodes[id];
    return node.predecessors.size() != 1 || node.kind == Node::Kind::Entry ||
           llvm::any_of(input.callsOf[id],
                        [&](CallId each) { return !program.calls[each].callees.empty(); });
  };
  std::vector<NodeId> result(program.nodes.size(), kNone);
  std::vector<NodeId> way;
  for (const NodeId id : ids(program.nodes)) {
    NodeId last = id;
    for (way.clear(); result[last] == kNone && !isStep(last);) {
      way.push_back(last);
      result[last] = last; // in a cycle that nothing enters
      last = program.nodes[last].predecessors.front();
    }
    last = result[last] == kNone ? last : result[last];
    result[last] = last;
    for (const NodeId each : way)
      result[each] = last;
  }
  return result;
}

llvm::BitVector common(llvm::BitVector one, const llvm::BitVector &other) {
  one &= other;
  return one;
}

llvm::BitVector without(llvm::BitVector one, const llvm::BitVector &other) {
  one.reset(other);
  return one;
}

bool isIn(const llvm::BitVector &flags, unsigned index) {
  return index < flags.size() && flags.test(index);
}

void setIn(llvm::BitVector &flags, unsigned index) {
  if (flags.size() <= index)
    flags.resize(std::max(index + 1, 2 * flags.size()));
  flags.set(index);
}

} // namespace

DataNeeds::DataNeeds(const ClosureInput &input, Kept &kept, Needs &needs)
    : Grower(input, kept, needs), sizes_(program_.functions.size()),
      isReached_(reachedFromEntries(program_)), callers_(program_.functions.size()),
      entries_(program_.functions.size()), modified_(program_.functions.size()),
      mayBeModified_(program_.functions.size()), written_(program_.functions.size()),
      lastStep_(lastSteps(input)), stepOf_(program_.nodes.size()),
      steps_(program_.functions.size()), passing_(program_.functions.size()),
      rank_(program_.functions.size()), ofRank_(input.effects.calleesFirst()) {
  for (const NodeId id : ids(program_.nodes)) {
    const FunctionId function = program_.nodes[id].function;
    placeOf_.push_back(static_cast<int>(sizes_[function]++));
    if (lastStep_[id] == id) {
      stepOf_[id] = static_cast<unsigned>(steps_[function].size());
      steps_[function].push_back(id);
    }
  }
  for (std::size_t rank = 0; rank < ofRank_.size(); ++rank)
    rank_[ofRank_[rank]] = static_cast<int>(rank);
}

void DataNeeds::classify(unsigned number) {
  const Range &range = ranges_[number];
  areShared_.resize(std::max(areShared_.size(), 2 * number + 1));
  const llvm::BitVector *modifiers = input_.effects.modifiersOf(range);
  if (!modifiers)
    return;
  areShared_.set(number);
  for (const unsigned each : modifiers->set_bits()) {
    const auto function = static_cast<FunctionId>(each);
    setIn((input_.effects.isOwn(function, range.object) ? modified_ : mayBeModified_)[function],
          number);
  }
  for (const FunctionId each : input_.effects.writersOf(range.object))
    setIn(written_[each], number);
}

/// A search for these reaches the end of the node.
void DataNeeds::arrive(NodeId node, const Numbers &numbers, Whose whose) {
  const FunctionId function = program_.nodes[node].function;
  const Numbers written = common(numbers, written_[function]);
  for (const unsigned each : written.set_bits())
    searchWrites(node, Range(ranges_[each]), needOf_[each], whose);
  const Numbers others = without(numbers, written);
  Numbers modified = common(others, modified_[function]);
  modified |= common(others, mayBeModified_[function]);
  if (modified.any())
    wait(function, stepBefore(node, whose), modified);
  if (whose == Whose::Own && isReached_.test(static_cast<unsigned>(node)))
    wait(function, entries_[function], without(others, modified));
}

/// The same for one, of which no set is made: most searches are of this kind.
void DataNeeds::arrive(NodeId node, unsigned number, Whose whose) {
  const FunctionId function = program_.nodes[node].function;
  if (isIn(written_[function], number)) {
    searchWrites(node, Range(ranges_[number]), needOf_[number], whose);
  } else if (isIn(modified_[function], number) || isIn(mayBeModified_[function], number)) {
    wait(function, stepBefore(node, whose), number);
  } else if (whose == Whose::Own && isReached_.test(static_cast<unsigned>(node))) {
    wait(function, entries_[function], number);
  }
}

DataNeeds::Step &DataNeeds::stepBefore(NodeId node, Whose whose) {
  const FunctionId function = program_.nodes[node].function;
  passing_[function].resize(2 * steps_[function].size());
  return passing_[function][2 * stepOf_[lastStep_[node]] + (whose == Whose::Own ? 1 : 0)];
}

void DataNeeds::wait(FunctionId function, Step &at, unsigned number) {
  if (isIn(at.passed, number) || isIn(at.waiting, number))
    return;
  setIn(at.waiting, number);
  open_.insert(rank_[function]);
}

void DataNeeds::wait(FunctionId function, Step &at, const Numbers &numbers) {
  const Numbers fresh = without(numbers, at.passed);
  if (fresh.none())
    return;
  at.waiting |= fresh;
  open_.insert(rank_[function]);
}

bool DataNeeds::passOn() {
  const bool isAny = !open_.empty();
  while (!open_.empty() && !needs_.isOver()) {
    // Elevator order: most of what a function has to pass on has arrived when it is visited.
    auto next = open_.lower_bound(at_);
    if (isUpwards_ && next == open_.end())
      isUpwards_ = false;
    if (!isUpwards_ && next == open_.begin() && (next == open_.end() || *next != at_))
      isUpwards_ = true;
    if (!isUpwards_ && (next == open_.end() || *next != at_))
      --next;
    at_ = *next;
    open_.erase(next);
    passFunction(ofRank_[at_]);
  }
  return isAny;
}

void DataNeeds::passFunction(FunctionId function) {
  while (passSteps(function))
    ;
  const Numbers numbers = std::exchange(entries_[function].waiting, {});
  if (numbers.any())
    passEntry(function, without(numbers, entries_[function].passed));
}

/// True if there may be more: steps are visited once, in reverse control flow order, which is not
/// enough in loops.
bool DataNeeds::passSteps(FunctionId function) {
  bool isAny = false;
  for (std::size_t place = passing_[function].size(); place-- > 0;) {
    Step &step = passing_[function][place];
    const Numbers numbers = without(std::exchange(step.waiting, {}), step.passed);
    if (numbers.none())
      continue;
    isAny = true;
    kept_.trial.setAll(step.passed, numbers);
    passStep(steps_[function][place / 2], numbers, place % 2 == 1 ? Whose::Own : Whose::Callers);
  }
  return isAny;
}

void DataNeeds::passStep(NodeId node, const Numbers &numbers, Whose whose) {
  const FunctionId function = program_.nodes[node].function;
  input_.options.budget.spend(1 + numbers.size() / 64);
  passCalls(node, numbers);
  if (program_.nodes[node].kind == Node::Kind::Entry && whose == Whose::Own)
    wait(function, entries_[function], numbers);
  for (const NodeId before : program_.nodes[node].predecessors)
    wait(function, stepBefore(before, whose), numbers);
}

void DataNeeds::passCalls(NodeId node, const Numbers &numbers) {
  for (const CallId each : input_.callsOf[node])
    for (const FunctionId callee : program_.calls[each].callees) {
      Numbers modified = common(numbers, modified_[callee]);
      const Numbers mayBe = common(numbers, mayBeModified_[callee]);
      for (const unsigned number : mayBe.set_bits())
        if (input_.effects.modifies(each, callee, ranges_[number]))
          setIn(modified, number);
      if (modified.none())
        continue;
      needs_.calls.keepCall(each, firstNeedOf(modified));
      kept_.addNeed(each);
      if (!input_.isPassedTo(callee, each))
        continue;
      for (const NodeId last : program_.nodes[program_.functions[callee].exit].predecessors)
        arrive(last, modified, Whose::Callers);
    }
}

GroupId DataNeeds::firstNeedOf(const Numbers &numbers) const {
  return needOf_[static_cast<std::size_t>(numbers.find_first())];
}

void DataNeeds::passEntry(FunctionId function, const Numbers &numbers) {
  if (numbers.none())
    return;
  kept_.trial.setAll(entries_[function].passed, numbers);
  const auto callers = callers_[function]; // a copy: a caller that is added meanwhile is asked then
  for (const CallId each : callers)
    passToCaller(each, function, numbers);
}

/// What the callee needs at entry is what memory holds at the call.
void DataNeeds::passToCaller(CallId call, FunctionId callee, const Numbers &all) {
  const NodeId node = program_.nodeOf(call);
  Numbers numbers = all;
  for (const unsigned each : all.set_bits())
    if (!input_.effects.reaches(call, callee, ranges_[each].object))
      numbers.reset(each);
  if (program_.nodes[node].isOrdered) {
    const Numbers written = common(numbers, written_[program_.nodes[node].function]);
    for (const unsigned each : written.set_bits())
      searchIn(node, Range(ranges_[each]), needOf_[each]);
    passCalls(node, without(numbers, written));
  }
  for (const NodeId before : program_.nodes[node].predecessors)
    arrive(before, numbers, Whose::Own);
}

} // namespace forerun::slicer

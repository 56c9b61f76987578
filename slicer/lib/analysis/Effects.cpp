// SPDX-License-Identifier: Apache-2.0
#include "analysis/Effects.h"

#include "analysis/Graph.h"
#include "models/Ids.h"

#include <algorithm>
#include <clang/AST/Expr.h>

namespace forerun::slicer {

namespace {
constexpr std::size_t kMaximumRanges = 64; ///< of an object in one function; more count as one

bool isText(const Call &call, unsigned argument) {
  if (call.isCallback || argument >= call.expr->getNumArgs())
    return false;
  const clang::QualType to = call.expr->getArg(argument)->getType()->getPointeeType();
  return !to.isNull() && to->isCharType();
}

/// All functions, each after those that it calls, except within a recursion.
std::vector<FunctionId> orderOf(const std::vector<std::set<FunctionId>> &callees) {
  Graph calls(callees.size());
  for (const FunctionId caller : ids(callees))
    for (const FunctionId callee : callees[caller])
      calls.add(caller, callee);
  std::vector<FunctionId> result;
  for (const std::vector<FunctionId> &recursion : calls.components())
    result.insert(result.end(), recursion.begin(), recursion.end());
  return result;
}

} // namespace

Effects::Effects(const Program &program, const PointsTo &pointsTo, Budget budget)
    : program_(program), pointsTo_(pointsTo), budget_(std::move(budget)),
      isComplete_(pointsTo.isComplete()), callees_(program.functions.size()),
      callers_(program.functions.size()) {
  for (const Call &call : program.calls)
    if (call.caller != kNone)
      callees_[call.caller].insert(call.callees.begin(), call.callees.end());
  for (const FunctionId id : ids(callees_))
    for (const FunctionId callee : callees_[id])
      callers_[callee].push_back(id);
  calleesFirst_ = orderOf(callees_);
  std::vector<llvm::SparseBitVector<>> reached(program.functions.size());
  for (const FunctionId id : ids(reached))
    reached[id].set(static_cast<unsigned>(id));
  reached_ = passUp(std::move(reached));
  findWriters();
  findAllocations();
  findOwn();
}

/// Adds to each function's set the sets of the functions that it calls.
std::vector<FrozenSet> Effects::passUp(std::vector<llvm::SparseBitVector<>> sets) {
  for (bool changed = true; changed && isComplete_;) {
    changed = false;
    for (const FunctionId each : calleesFirst_)
      budget_.spend(callees_[each].size());
    for (const FunctionId each : calleesFirst_)
      for (const FunctionId callee : callees_[each])
        changed |= sets[each] |= sets[callee];
    isComplete_ = !budget_.isOver();
  }
  return {sets.begin(), sets.end()};
}

void Effects::findWriters() {
  for (const Node &node : program_.nodes) {
    isComplete_ = isComplete_ && !budget_.isOver();
    if (!isComplete_)
      return;
    for (const Access &def : node.defs) {
      const PointsTo::Ranges &ranges = pointsTo_.ranges(def.place);
      budget_.spend(ranges.size());
      for (const Range &range : ranges) {
        if (node.function != 0) // initial values of globals are not changes
          modified_.insert(range.object);
        const Object &object = program_.objects[range.object];
        if (object.endsWith(node.function))
          continue;
        auto &known = writers_[range.object].ranges[node.function];
        if (known.size() >= kMaximumRanges)
          known = {Range{range.object, 0, kEnd}};
        else
          known.insert(range);
      }
    }
  }
}

/// The program's own allocators may fill the memory that they return.
void Effects::findAllocations() {
  for (const Call &call : program_.calls)
    if (call.allocated != kNone)
      writers_[call.allocated].ranges[call.caller].insert({call.allocated, 0, kEnd});
}

/// Excludes what a function's parameters lead to: these point to what all callers together pass.
void Effects::findOwn() {
  std::vector<Objects> own(program_.functions.size());
  for (const FunctionId id : ids(own)) {
    isComplete_ = isComplete_ && !budget_.isOver();
    if (!isComplete_)
      break;
    for (const ObjectId each : program_.functions[id].meets)
      if (program_.objects[each].isStatic || program_.objects[each].isInManyFrames)
        own[id].set(static_cast<unsigned>(each));
    pointsTo_.addReachable(own[id]);
    budget_.spend(1 + own[id].count());
  }
  own_ = passUp(std::move(own));
}

const FrozenSet &Effects::reachable(CallId call) const {
  const auto [place, isNew] = reachable_.try_emplace(call);
  if (isNew) {
    const auto &values = program_.calls[call].values;
    Objects result, texts; // a text in a structure does not lead to what the structure points to
    for (unsigned i = 0; i < values.size(); ++i)
      for (const ObjectId each : pointsTo_.targets(values[i]))
        (isText(program_.calls[call], i) ? texts : result).set(static_cast<unsigned>(each));
    pointsTo_.addReachable(result);
    result |= texts;
    place->second = FrozenSet(result);
  }
  return place->second;
}

/// The functions that call a writer, directly or not, and the writers.
const llvm::BitVector &Effects::reachersOf(const std::vector<FunctionId> &writers) const {
  const auto [place, isNew] = reachers_.try_emplace(writers);
  llvm::BitVector &result = place->second;
  if (!isNew)
    return result;
  result.resize(static_cast<unsigned>(callers_.size()));
  std::vector<FunctionId> open = writers;
  while (!open.empty()) {
    const FunctionId each = open.back();
    open.pop_back();
    if (result.test(static_cast<unsigned>(each)))
      continue;
    result.set(static_cast<unsigned>(each));
    open.insert(open.end(), callers_[each].begin(), callers_[each].end());
  }
  return result;
}

const llvm::BitVector &Effects::reachersOf(const Writers &writers) const {
  if (!writers.reachers) {
    std::vector<FunctionId> functions;
    for (const auto &[function, ranges] : writers.ranges)
      functions.push_back(function);
    writers.reachers = &reachersOf(functions);
  }
  return *writers.reachers;
}

std::vector<FunctionId> Effects::writersOf(ObjectId object) const {
  std::vector<FunctionId> result;
  if (const auto known = writers_.find(object); known != writers_.end())
    for (const auto &[function, ranges] : known->second.ranges)
      result.push_back(function);
  return result;
}

const llvm::BitVector *Effects::modifiersOf(const Range &range) const {
  const Object &object = program_.objects[range.object];
  const bool isAutomatic = object.owner != kNone && !object.isStatic;
  if (isAutomatic && (!object.isInManyFrames || object.parameter != kNone))
    return nullptr;
  std::vector<FunctionId> writers;
  if (const auto known = writers_.find(range.object); known != writers_.end())
    for (const auto &[function, ranges] : known->second.ranges)
      if (std::any_of(ranges.begin(), ranges.end(),
                      [&](const Range &written) { return written.overlaps(range); }))
        writers.push_back(function);
  return &reachersOf(writers);
}

bool Effects::mayModify(FunctionId function, ObjectId id) const {
  const Object &object = program_.objects[id];
  if (object.endsWith(function))
    return true;
  const auto known = writers_.find(id);
  return known != writers_.end() && reachersOf(known->second).test(static_cast<unsigned>(function));
}

bool Effects::modifies(CallId call, FunctionId callee, const Range &range) const {
  const auto known = writers_.find(range.object);
  if (known == writers_.end() || !reachersOf(known->second).test(static_cast<unsigned>(callee)))
    return false;
  const Object &object = program_.objects[range.object];
  if (object.endsWith(callee))
    return false;
  if (!reaches(call, callee, range.object))
    return false;
  const auto &ranges = known->second.ranges;
  return std::any_of(ranges.begin(), ranges.end(), [&](const auto &each) {
    return reached_[callee].test(static_cast<unsigned>(each.first)) &&
           std::any_of(each.second.begin(), each.second.end(),
                       [&](const Range &written) { return written.overlaps(range); });
  });
}

} // namespace forerun::slicer

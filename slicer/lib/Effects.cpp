// SPDX-License-Identifier: Apache-2.0
#include "Effects.h"

#include <algorithm>
#include <clang/AST/Expr.h>

namespace forerun::slicer {

namespace {
constexpr std::size_t kMostRanges = 64; ///< of an object in one function, before they are one

bool isText(const Call &call, unsigned argument) {
  if (call.isCallback || argument >= call.expr->getNumArgs())
    return false;
  const clang::QualType to = call.expr->getArg(argument)->getType()->getPointeeType();
  return !to.isNull() && to->isCharType();
}

} // namespace

Effects::Effects(const Program &program, const PointsTo &pointsTo, Deadline deadline)
    : program_(program), pointsTo_(pointsTo), deadline_(deadline),
      callers_(program.functions.size()), own_(program.functions.size()),
      ranges_(program.functions.size()) {
  for (const Call &call : program.calls)
    for (const FunctionId callee : call.callees)
      if (call.caller != kNone)
        callers_[callee].insert(call.caller);
  std::set<FunctionId> open;
  for (const Node &node : program.nodes)
    for (const Access &def : node.defs)
      for (const Range &range : pointsTo.ranges(def.place)) {
        if (node.function != 0) // values that globals begin with do not count as changes
          modified_.insert(range.object);
        if (add(node.function, range))
          open.insert(node.function);
      }
  while (!open.empty() && isComplete_) {
    isComplete_ = !deadline_.isOver();
    const FunctionId callee = *open.begin();
    open.erase(open.begin());
    for (const FunctionId caller : callers_[callee])
      for (const auto &[object, ranges] : std::map(ranges_[callee]))
        for (const Range &range : ranges)
          if (add(caller, range))
            open.insert(caller);
  }
  findOwn();
}

/// Objects that a function meets whatever it is called with: not its parameters, which point to
/// what all callers together give.
void Effects::findOwn() {
  std::set<FunctionId> open;
  for (FunctionId id = 0; id < static_cast<FunctionId>(own_.size()); ++id) {
    for (const ObjectId each : program_.functions[id].meets)
      if (program_.objects[each].isStatic)
        own_[id].insert(each);
    open.insert(id);
  }
  while (!open.empty() && isComplete_) {
    isComplete_ = !deadline_.isOver();
    const FunctionId callee = *open.begin();
    open.erase(open.begin());
    for (const FunctionId caller : callers_[callee]) {
      const auto before = own_[caller].size();
      own_[caller].insert(own_[callee].begin(), own_[callee].end());
      if (own_[caller].size() > before)
        open.insert(caller);
    }
  }
}

const std::set<ObjectId> &Effects::reachable(CallId call, FunctionId callee) const {
  const auto [place, isNew] = reachable_.try_emplace({call, callee});
  if (isNew) {
    place->second = own_[callee];
    const auto &values = program_.calls[call].values;
    std::set<ObjectId> texts; // a text in a structure does not lead to what the structure points to
    for (unsigned i = 0; i < values.size(); ++i) {
      const auto targets = pointsTo_.targets(values[i]);
      auto &to = isText(program_.calls[call], i) ? texts : place->second;
      to.insert(targets.begin(), targets.end());
    }
    pointsTo_.addReachable(place->second);
    place->second.insert(texts.begin(), texts.end());
  }
  return place->second;
}

bool Effects::add(FunctionId function, const Range &range) {
  const Object &object = program_.objects[range.object];
  if (object.owner == function && !object.isStatic)
    return false;
  auto &known = ranges_[function][range.object];
  for (const Range &each : known)
    if (each.covers(range))
      return false;
  if (known.size() >= kMostRanges)
    known = {Range{range.object, 0, kEnd}};
  else
    known.insert(range);
  return true;
}

bool Effects::modifies(CallId call, FunctionId callee, const Range &range) const {
  const auto known = ranges_[callee].find(range.object);
  return known != ranges_[callee].end() && reachable(call, callee).count(range.object) > 0 &&
         std::any_of(known->second.begin(), known->second.end(),
                     [&](const Range &each) { return each.overlaps(range); });
}

} // namespace forerun::slicer

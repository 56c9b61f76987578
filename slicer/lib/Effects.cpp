// SPDX-License-Identifier: Apache-2.0
#include "Effects.h"

#include <algorithm>

namespace forerun::slicer {

namespace {
constexpr std::size_t kMostRanges = 64; ///< of an object in one function, before they are one
} // namespace

Effects::Effects(const Program &program, const PointsTo &pointsTo)
    : program_(program), ranges_(program.functions.size()) {
  std::vector<std::set<FunctionId>> callers(program.functions.size());
  for (const Call &call : program.calls)
    for (const FunctionId callee : call.callees)
      if (call.caller != kNone)
        callers[callee].insert(call.caller);
  std::set<FunctionId> open;
  for (const Node &node : program.nodes)
    for (const Access &def : node.defs)
      for (const Range &range : pointsTo.ranges(def.place)) {
        if (node.function != 0) // values that globals begin with do not count as changes
          modified_.insert(range.object);
        if (add(node.function, range))
          open.insert(node.function);
      }
  while (!open.empty()) {
    const FunctionId callee = *open.begin();
    open.erase(open.begin());
    for (const FunctionId caller : callers[callee])
      for (const auto &[object, ranges] : std::map(ranges_[callee]))
        for (const Range &range : ranges)
          if (add(caller, range))
            open.insert(caller);
  }
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

bool Effects::modifies(FunctionId function, const Range &range) const {
  const auto known = ranges_[function].find(range.object);
  return known != ranges_[function].end() &&
         std::any_of(known->second.begin(), known->second.end(),
                     [&](const Range &each) { return each.overlaps(range); });
}

} // namespace forerun::slicer

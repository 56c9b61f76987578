// SPDX-License-Identifier: Apache-2.0
#include "analysis/Frames.h"

#include "models/Ids.h"

#include <algorithm>

namespace forerun::slicer {

namespace {

using Edges = std::vector<std::vector<FunctionId>>;

/// Those from which nothing but ends is reached are dropped; the others lead to a recursion.
std::vector<bool> leadToCycles(const Edges &next, const Edges &before) {
  std::vector<std::size_t> left(next.size());
  std::vector<FunctionId> open;
  for (const FunctionId id : ids(next)) {
    left[id] = next[id].size();
    if (left[id] == 0)
      open.push_back(id);
  }
  std::vector<bool> result(next.size(), true);
  while (!open.empty()) {
    const FunctionId each = open.back();
    open.pop_back();
    result[each] = false;
    for (const FunctionId other : before[each])
      if (--left[other] == 0)
        open.push_back(other);
  }
  return result;
}

/// Those in a recursion, and those on the way from one to another.
std::vector<bool> recursiveFunctions(const Program &program) {
  Edges callees(program.functions.size()), callers(program.functions.size());
  for (const Call &call : program.calls)
    if (call.caller != kNone)
      for (const FunctionId callee : call.callees) {
        callees[call.caller].push_back(callee);
        callers[callee].push_back(call.caller);
      }
  std::vector<bool> result = leadToCycles(callees, callers);
  const std::vector<bool> areReached = leadToCycles(callers, callees);
  std::transform(result.begin(), result.end(), areReached.begin(), result.begin(),
                 [](bool one, bool other) { return one && other; });
  return result;
}

} // namespace

void findManyFrames(Program &program, const PointsTo &pointsTo) {
  const std::vector<bool> isRecursive = recursiveFunctions(program);
  const std::vector<bool> isPointedTo = pointsTo.pointedTo();
  for (const ObjectId id : ids(program.objects)) {
    Object &object = program.objects[id];
    object.isInManyFrames = object.kind == Object::Kind::Variable && object.owner != kNone &&
                            !object.isStatic && isRecursive[object.owner] && isPointedTo[id];
  }
}

} // namespace forerun::slicer

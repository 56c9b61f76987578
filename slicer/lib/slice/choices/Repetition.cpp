// SPDX-License-Identifier: Apache-2.0
#include "slice/choices/Repetition.h"

#include "analysis/Graph.h"
#include "models/Ids.h"
#include "models/Worklist.h"

#include <llvm/ADT/STLExtras.h>

namespace forerun::slicer {

Repetition::Repetition(const ClosureInput &input, const std::set<CallId> &leanCalls)
    : input_(input), program_(input.program), isInLoop_(isInLoop()),
      isRepeated_(repeatedFunctions({})), isFullRepeated_(repeatedFunctions(leanCalls)) {}

bool Repetition::isRepeated(CallId call, bool isInLean) const {
  return isRepeatedAt(program_.nodeOf(call), isInLean);
}

bool Repetition::isRepeatedAt(NodeId node, bool isInLean) const {
  const FunctionId function = program_.nodes[node].function;
  return isInLoop_[node] || (isInLean ? isRepeated_ : isFullRepeated_).contains(function);
}

/// Loops are the strongly connected components.
std::vector<bool> Repetition::isInLoop() const {
  Graph graph(program_.nodes.size());
  for (const NodeId id : ids(program_.nodes))
    for (const NodeId each : program_.nodes[id].successors)
      graph.add(id, each);
  std::vector<bool> hasCriteria(program_.nodes.size()), result(program_.nodes.size());
  for (const CallId id : ids(program_.calls))
    if (input_.criteria.has(id) || input_.criteria.areLedToBy(program_.calls[id]))
      hasCriteria[program_.nodeOf(id)] = true;
  for (const std::vector<NodeId> &component : graph.components()) {
    const bool isLoop =
        component.size() > 1 ||
        llvm::is_contained(program_.nodes[component.front()].successors, component.front());
    if (isLoop && llvm::any_of(component, [&](NodeId each) { return hasCriteria[each]; }))
      for (const NodeId each : component)
        result[each] = true;
  }
  return result;
}

std::set<FunctionId> Repetition::repeatedFunctions(const std::set<CallId> &leftOut) const {
  std::vector<std::vector<FunctionId>> calleesOf(program_.functions.size());
  Worklist<FunctionId> open;
  for (const CallId id : ids(program_.calls)) {
    const Call &call = program_.calls[id];
    if (call.callees.empty() || call.group == kNone || leftOut.contains(id))
      continue;
    if (call.caller != kNone)
      calleesOf[call.caller].insert(calleesOf[call.caller].end(), call.callees.begin(),
                                    call.callees.end());
    if (isInLoop_[program_.nodeOf(id)])
      open.addAll(call.callees);
  }
  while (const auto function = open.next())
    open.addAll(calleesOf[*function]);
  return open.met();
}

} // namespace forerun::slicer

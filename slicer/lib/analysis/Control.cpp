// SPDX-License-Identifier: Apache-2.0
#include "analysis/Control.h"

#include "analysis/Graph.h"
#include "models/Ids.h"

#include <algorithm>

namespace forerun::slicer {

namespace {

std::vector<NodeId> successorsOf(const Program &program, NodeId id, NodeId exit, bool earlyExits) {
  const Node &node = program.nodes[id];
  if (!earlyExits && node.leavesLoop && node.fallThrough != kNone)
    return {node.fallThrough};
  std::vector<NodeId> result = node.successors;
  if (node.fallThrough != kNone)
    result.push_back(node.fallThrough);
  if (result.empty() && id != exit)
    result.push_back(exit);
  // A call that never returns leaves the function as well.
  if (node.successors.empty() && node.fallThrough != kNone)
    result.push_back(exit);
  return result;
}

} // namespace

ControlDependences controlDependences(const Program &program, bool earlyExits) {
  std::vector<std::vector<NodeId>> result(program.nodes.size());
  Graph backwards(program.nodes.size());
  std::vector<NodeId> exits;
  for (const Function &function : program.functions) {
    if (function.exit == kNone)
      continue;
    exits.push_back(function.exit);
    for (const NodeId id : function.nodes)
      for (const NodeId to : successorsOf(program, id, function.exit, earlyExits))
        backwards.add(to, id);
  }
  const std::vector<NodeId> postDominator = backwards.dominators(exits);
  for (const NodeId from : ids(program.nodes)) {
    if (postDominator[from] == kNone) // an exit, or none is reached
      continue;
    const NodeId exit = program.functions[program.nodes[from].function].exit;
    const auto successors = successorsOf(program, from, exit, earlyExits);
    if (successors.size() < 2)
      continue;
    for (NodeId each : successors)
      for (; each != kNone && each != postDominator[from] && each != exit;
           each = postDominator[each])
        if (std::ranges::find(result[each], from) == result[each].end())
          result[each].push_back(from);
  }
  return result;
}

} // namespace forerun::slicer

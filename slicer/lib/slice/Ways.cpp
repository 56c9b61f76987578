// SPDX-License-Identifier: Apache-2.0
#include "slice/Ways.h"

#include "slice/Needs.h"

#include <algorithm>

namespace forerun::slicer {

void Ways::keepAllTo(NodeId node, GroupId by) {
  for (std::vector<NodeId> open{node}; !open.empty() && !needs_.isOver();) {
    const NodeId each = open.back();
    open.pop_back();
    const FunctionId function = program_.nodes[each].function;
    if (function == 0 || !kept_.addCounted(each)) // initialisers of globals run before main
      continue;
    keepExits(each, by);
    for (const CallId caller : program_.functions[function].callers) {
      needs_.calls.keepCall(caller, by);
      open.push_back(input_.nodeOf(caller));
    }
  }
}

/// Keeps the early exits that control the node, if it may be executed again after they are taken.
void Ways::keepExits(NodeId node, GroupId by) {
  std::set<NodeId> met{node};
  for (std::vector<NodeId> open{node}; !open.empty();) {
    const NodeId next = open.back();
    open.pop_back();
    for (const NodeId each : input_.control[next]) {
      if (!met.insert(each).second)
        continue;
      const Node &decides = program_.nodes[each];
      if (decides.leavesLoop && !comesBack(each, node))
        continue;
      if (decides.leavesLoop)
        needs_.needGroup(decides.group, {Reason::Kind::Control, by});
      open.push_back(each);
    }
  }
}

/// Whether the node may be executed after the exit has been taken.
bool Ways::comesBack(NodeId exit, NodeId to) const {
  const std::vector<bool> leading = functionsLeadingTo(program_.nodes[to].function);
  std::set<NodeId> met;
  std::vector<NodeId> open = program_.nodes[exit].successors;
  while (!open.empty()) {
    const NodeId each = open.back();
    open.pop_back();
    if (!met.insert(each).second)
      continue;
    if (each == to || leadsTo(each, leading))
      return true;
    const Node &node = program_.nodes[each];
    open.insert(open.end(), node.successors.begin(), node.successors.end());
    if (node.kind == Node::Kind::Exit)
      for (const CallId caller : program_.functions[node.function].callers) {
        const NodeId at = input_.nodeOf(caller);
        if (leadsTo(at, leading, caller)) // in the same statement
          return true;
        const auto &after = program_.nodes[at].successors;
        open.insert(open.end(), after.begin(), after.end());
      }
  }
  return false;
}

bool Ways::leadsTo(NodeId node, const std::vector<bool> &functions, CallId except) const {
  return std::any_of(input_.callsOf[node].begin(), input_.callsOf[node].end(), [&](CallId each) {
    const auto &callees = program_.calls[each].callees;
    return each != except && std::any_of(callees.begin(), callees.end(),
                                         [&](FunctionId callee) { return functions[callee]; });
  });
}

/// The function and all its direct and indirect callers.
std::vector<bool> Ways::functionsLeadingTo(FunctionId function) const {
  std::vector<bool> result(program_.functions.size());
  for (std::vector<FunctionId> open{function}; !open.empty();) {
    const FunctionId each = open.back();
    open.pop_back();
    if (result[each])
      continue;
    result[each] = true;
    for (const CallId caller : program_.functions[each].callers)
      open.push_back(program_.calls[caller].caller);
  }
  return result;
}

} // namespace forerun::slicer

// SPDX-License-Identifier: Apache-2.0
#include "analysis/Walks.h"
#include "models/Worklist.h"
#include "slice/needs/Needs.h"

#include <llvm/ADT/STLExtras.h>

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
      open.push_back(program_.nodeOf(caller));
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
  const std::set<FunctionId> leading = withCallers(program_, {program_.nodes[to].function});
  Worklist<NodeId> open;
  open.addAll(program_.nodes[exit].successors);
  while (const auto each = open.next()) {
    if (*each == to || leadsTo(*each, leading))
      return true;
    const Node &node = program_.nodes[*each];
    open.addAll(node.successors);
    if (node.kind == Node::Kind::Exit)
      for (const CallId caller : program_.functions[node.function].callers) {
        const NodeId at = program_.nodeOf(caller);
        if (leadsTo(at, leading, caller)) // in the same statement
          return true;
        open.addAll(program_.nodes[at].successors);
      }
  }
  return false;
}

bool Ways::leadsTo(NodeId node, const std::set<FunctionId> &functions, CallId except) const {
  return llvm::any_of(input_.callsOf[node], [&](CallId each) {
    const auto &callees = program_.calls[each].callees;
    return each != except &&
           llvm::any_of(callees, [&](FunctionId callee) { return functions.contains(callee); });
  });
}

} // namespace forerun::slicer

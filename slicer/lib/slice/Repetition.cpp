// SPDX-License-Identifier: Apache-2.0
#include "slice/Repetition.h"

#include <algorithm>

namespace forerun::slicer {

namespace {

/// The nodes reached in one direction, in one step or more.
std::set<NodeId> reachedFrom(const Program &program, NodeId node,
                             std::vector<NodeId> Node::*direction) {
  std::set<NodeId> result;
  std::vector<NodeId> open = program.nodes[node].*direction;
  while (!open.empty()) {
    const NodeId each = open.back();
    open.pop_back();
    if (!result.insert(each).second)
      continue;
    const auto &more = program.nodes[each].*direction;
    open.insert(open.end(), more.begin(), more.end());
  }
  return result;
}

} // namespace

bool Repetition::isRepeated(CallId id) {
  const auto [known, isNew] = known_.try_emplace(id, false);
  if (isNew) {
    std::set<FunctionId> met;
    known->second = isRepeated(input_.nodeOf(id), met);
  }
  return known->second;
}

bool Repetition::isRepeatedAt(NodeId node) const {
  std::set<FunctionId> met;
  return isRepeated(node, met);
}

bool Repetition::isRepeated(NodeId node, std::set<FunctionId> &met) const {
  if (isInLoopWithCriteria(node))
    return true;
  const FunctionId function = program_.nodes[node].function;
  if (!met.insert(function).second)
    return false;
  const auto &callers = program_.functions[function].callers;
  return std::any_of(callers.begin(), callers.end(),
                     [&](CallId each) { return isRepeated(input_.nodeOf(each), met); });
}

bool Repetition::isInLoopWithCriteria(NodeId node) const {
  const std::set<NodeId> after = reachedFrom(program_, node, &Node::successors);
  if (after.count(node) == 0)
    return false;
  const std::set<NodeId> before = reachedFrom(program_, node, &Node::predecessors);
  return std::any_of(after.begin(), after.end(), [&](NodeId each) {
    const auto &calls = input_.callsOf[each];
    return before.count(each) > 0 &&
           std::any_of(calls.begin(), calls.end(), [&](CallId id) { return leadsToCriteria(id); });
  });
}

bool Repetition::leadsToCriteria(CallId id) const {
  const auto &callees = program_.calls[id].callees;
  return input_.criteria.has(id) ||
         std::any_of(callees.begin(), callees.end(),
                     [&](FunctionId each) { return input_.criteria.functions.count(each) > 0; });
}

} // namespace forerun::slicer

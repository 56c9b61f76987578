// SPDX-License-Identifier: Apache-2.0
#include "analysis/Control.h"

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

void visit(const std::vector<std::vector<NodeId>> &predecessors, NodeId root,
           std::vector<bool> &seen, std::vector<NodeId> &postOrder) {
  std::vector<std::pair<NodeId, std::size_t>> path{{root, 0}};
  seen[root] = true;
  while (!path.empty()) {
    auto &[id, next] = path.back();
    if (next == predecessors[id].size()) {
      postOrder.push_back(id);
      path.pop_back();
    } else if (const NodeId from = predecessors[id][next++]; !seen[from]) {
      seen[from] = true;
      path.emplace_back(from, 0);
    }
  }
}

class PostDominators {
public:
  PostDominators(const Program &program, const Function &function, bool earlyExits,
                 std::vector<std::vector<NodeId>> &predecessors, std::vector<bool> &seen,
                 std::vector<int> &number)
      : number_(number) {
    for (const NodeId id : function.nodes)
      for (const NodeId to : successorsOf(program, id, function.exit, earlyExits))
        predecessors[to].push_back(id);
    std::vector<NodeId> postOrder;
    visit(predecessors, function.exit, seen, postOrder);
    order_.assign(postOrder.rbegin(), postOrder.rend());
    for (std::size_t i = 0; i < order_.size(); ++i)
      number_[order_[i]] = static_cast<int>(i);
    solve(program, function.exit, earlyExits);
  }

  NodeId parent(NodeId id) const { return number_[id] < 0 ? kNone : parent_[number_[id]]; }

private:
  void solve(const Program &program, NodeId exit, bool earlyExits) {
    parent_.assign(order_.size(), kNone);
    parent_[0] = exit;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 1; i < order_.size(); ++i) {
        NodeId common = kNone;
        for (const NodeId to : successorsOf(program, order_[i], exit, earlyExits))
          if (number_[to] >= 0 && parent_[number_[to]] != kNone)
            common = common == kNone ? to : meet(common, to);
        if (common != kNone && parent_[i] != common) {
          parent_[i] = common;
          changed = true;
        }
      }
    }
  }

  NodeId meet(NodeId one, NodeId other) const {
    while (one != other)
      if (number_[one] > number_[other])
        one = parent_[number_[one]];
      else
        other = parent_[number_[other]];
    return one;
  }

  std::vector<NodeId> order_;
  std::vector<int> &number_;
  std::vector<NodeId> parent_; ///< by number
};

} // namespace

ControlDependences controlDependences(const Program &program, bool earlyExits) {
  std::vector<std::vector<NodeId>> result(program.nodes.size());
  std::vector<std::vector<NodeId>> predecessors(program.nodes.size());
  std::vector<bool> seen(program.nodes.size());
  std::vector<int> number(program.nodes.size(), -1);
  for (const Function &function : program.functions) {
    if (function.exit == kNone)
      continue;
    const PostDominators tree(program, function, earlyExits, predecessors, seen, number);
    for (const NodeId from : function.nodes) {
      if (number[from] < 0 || from == function.exit)
        continue;
      const auto successors = successorsOf(program, from, function.exit, earlyExits);
      if (successors.size() < 2)
        continue;
      for (NodeId each : successors)
        for (; each != kNone && each != tree.parent(from) && each != function.exit;
             each = tree.parent(each))
          if (std::find(result[each].begin(), result[each].end(), from) == result[each].end())
            result[each].push_back(from);
    }
  }
  return result;
}

} // namespace forerun::slicer

// SPDX-License-Identifier: Apache-2.0
#include "slice/Repetition.h"

#include "models/Ids.h"

#include <algorithm>
#include <cstddef>

namespace forerun::slicer {

namespace {

/// The loops of the program, as strongly connected components: by node the number of its component
/// (Kosaraju's algorithm).
class Components {
public:
  explicit Components(const Program &program)
      : program_(program), of_(program.nodes.size(), kNone) {
    std::vector<bool> met(program.nodes.size());
    std::vector<NodeId> finished;
    for (const NodeId id : ids(program.nodes))
      finish(id, met, finished);
    for (auto id = finished.rbegin(); id != finished.rend(); ++id)
      if (of_[*id] == kNone)
        collect(*id);
  }

  [[nodiscard]] int of(NodeId node) const { return of_[node]; }
  [[nodiscard]] std::size_t count() const { return sizes_.size(); }
  [[nodiscard]] bool isLoop(NodeId node) const {
    const auto &next = program_.nodes[node].successors;
    return sizes_[of_[node]] > 1 || std::find(next.begin(), next.end(), node) != next.end();
  }

private:
  /// Appends what is reached from there, each node after those that it leads to.
  void finish(NodeId from, std::vector<bool> &met, std::vector<NodeId> &finished) const {
    struct Open {
      NodeId node;
      std::size_t next;
    };
    std::vector<Open> open;
    if (!met[from])
      open.push_back({from, 0});
    met[from] = true;
    while (!open.empty()) {
      Open &top = open.back();
      const auto &next = program_.nodes[top.node].successors;
      if (top.next == next.size()) {
        finished.push_back(top.node);
        open.pop_back();
      } else if (const NodeId each = next[top.next++]; !met[each]) {
        met[each] = true;
        open.push_back({each, 0});
      }
    }
  }

  void collect(NodeId from) {
    const int number = static_cast<int>(sizes_.size());
    sizes_.push_back(0);
    of_[from] = number;
    for (std::vector<NodeId> open{from}; !open.empty();) {
      const NodeId node = open.back();
      open.pop_back();
      ++sizes_[number];
      for (const NodeId each : program_.nodes[node].predecessors)
        if (of_[each] == kNone) {
          of_[each] = number;
          open.push_back(each);
        }
    }
  }

  const Program &program_;
  std::vector<int> of_;
  std::vector<std::size_t> sizes_;
};

} // namespace

Repetition::Repetition(const ClosureInput &input, const std::set<CallId> &leanCalls)
    : input_(input), program_(input.program), isInLoop_(isInLoop()),
      isRepeated_(repeatedFunctions({})), isFullRepeated_(repeatedFunctions(leanCalls)) {}

bool Repetition::isRepeated(CallId call, bool isInLean) const {
  return isRepeatedAt(input_.nodeOf(call), isInLean);
}

bool Repetition::isRepeatedAt(NodeId node, bool isInLean) const {
  const FunctionId function = program_.nodes[node].function;
  return isInLoop_[node] ||
         (function != kNone && (isInLean ? isRepeated_ : isFullRepeated_)[function]);
}

std::vector<bool> Repetition::isInLoop() const {
  const Components components(program_);
  std::vector<bool> hasCriteria(components.count()), result(program_.nodes.size());
  for (const CallId each : input_.criteria.calls)
    hasCriteria[components.of(input_.nodeOf(each))] = true;
  for (const CallId id : ids(program_.calls))
    if (const Call &call = program_.calls[id]; call.group != kNone)
      for (const FunctionId callee : call.callees)
        if (input_.criteria.functions.count(callee) > 0)
          hasCriteria[components.of(input_.nodeOf(id))] = true;
  for (const NodeId id : ids(program_.nodes))
    result[id] = components.isLoop(id) && hasCriteria[components.of(id)];
  return result;
}

std::vector<bool> Repetition::repeatedFunctions(const std::set<CallId> &leftOut) const {
  std::vector<std::vector<CallId>> callsIn(program_.functions.size());
  std::vector<CallId> open;
  for (const CallId id : ids(program_.calls)) {
    const Call &call = program_.calls[id];
    if (call.callees.empty() || call.group == kNone || leftOut.count(id) > 0)
      continue;
    if (call.caller != kNone)
      callsIn[call.caller].push_back(id);
    if (isInLoop_[input_.nodeOf(id)])
      open.push_back(id);
  }
  std::vector<bool> result(program_.functions.size());
  while (!open.empty()) {
    const CallId call = open.back();
    open.pop_back();
    for (const FunctionId callee : program_.calls[call].callees)
      if (!result[callee]) {
        result[callee] = true;
        open.insert(open.end(), callsIn[callee].begin(), callsIn[callee].end());
      }
  }
  return result;
}

} // namespace forerun::slicer

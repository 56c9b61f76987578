// SPDX-License-Identifier: Apache-2.0
#include "slice/Repetition.h"

#include "analysis/Graph.h"
#include "models/Ids.h"
#include "models/Worklist.h"

#include <algorithm>
#include <cstddef>

namespace forerun::slicer {

namespace {

/// The loops of the program, as strongly connected components: by node the number of its component.
class Components {
public:
  explicit Components(const Program &program) : of_(program.nodes.size()) {
    Graph graph(program.nodes.size());
    for (const NodeId id : ids(program.nodes))
      for (const NodeId each : program.nodes[id].successors)
        graph.add(id, each);
    for (const std::vector<NodeId> &component : graph.components()) {
      const auto &next = program.nodes[component.front()].successors;
      isLoop_.push_back(component.size() > 1 ||
                        std::ranges::find(next, component.front()) != next.end());
      for (const NodeId each : component)
        of_[each] = isLoop_.size() - 1;
    }
  }

  [[nodiscard]] std::size_t of(NodeId node) const { return of_[node]; }
  [[nodiscard]] std::size_t count() const { return isLoop_.size(); }
  [[nodiscard]] bool isLoop(NodeId node) const { return isLoop_[of_[node]]; }

private:
  std::vector<std::size_t> of_;
  std::vector<bool> isLoop_;
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
  return isInLoop_[node] || (isInLean ? isRepeated_ : isFullRepeated_).count(function) > 0;
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

std::set<FunctionId> Repetition::repeatedFunctions(const std::set<CallId> &leftOut) const {
  std::vector<std::vector<FunctionId>> calleesOf(program_.functions.size());
  Worklist<FunctionId> open;
  for (const CallId id : ids(program_.calls)) {
    const Call &call = program_.calls[id];
    if (call.callees.empty() || call.group == kNone || leftOut.count(id) > 0)
      continue;
    if (call.caller != kNone)
      calleesOf[call.caller].insert(calleesOf[call.caller].end(), call.callees.begin(),
                                    call.callees.end());
    if (isInLoop_[input_.nodeOf(id)])
      open.addAll(call.callees);
  }
  while (const auto function = open.next())
    open.addAll(calleesOf[*function]);
  return open.met();
}

} // namespace forerun::slicer

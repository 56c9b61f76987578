// SPDX-License-Identifier: Apache-2.0
#include "slice/Repetition.h"

#include "models/Ids.h"

#include <algorithm>
#include <cstddef>
#include <llvm/ADT/SCCIterator.h>

namespace forerun::slicer {

namespace {

/// A node of the program, for LLVM's algorithms.
struct Vertex {
  std::vector<Vertex *> next;
};

} // namespace

} // namespace forerun::slicer

template <> struct llvm::GraphTraits<forerun::slicer::Vertex *> {
  // NOLINTBEGIN(readability-identifier-naming): LLVM's names
  using NodeRef = forerun::slicer::Vertex *;
  using ChildIteratorType = std::vector<NodeRef>::iterator;
  static NodeRef getEntryNode(NodeRef node) { return node; }
  static ChildIteratorType child_begin(NodeRef node) { return node->next.begin(); }
  static ChildIteratorType child_end(NodeRef node) { return node->next.end(); }
  // NOLINTEND(readability-identifier-naming)
};

namespace forerun::slicer {

namespace {

/// The loops of the program, as strongly connected components: by node the number of its component.
class Components {
public:
  explicit Components(const Program &program) : of_(program.nodes.size()) {
    std::vector<Vertex> vertices(program.nodes.size() + 1);
    Vertex &entry = vertices.back(); // leads to all
    for (const NodeId id : ids(program.nodes)) {
      entry.next.push_back(&vertices[id]);
      for (const NodeId each : program.nodes[id].successors)
        vertices[id].next.push_back(&vertices[each]);
    }
    for (auto each = llvm::scc_begin(&entry); !each.isAtEnd(); ++each) {
      for (const Vertex *vertex : *each)
        if (vertex != &entry)
          of_[vertex - vertices.data()] = isLoop_.size();
      isLoop_.push_back(each.hasCycle());
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

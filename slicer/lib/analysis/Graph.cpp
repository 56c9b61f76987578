// SPDX-License-Identifier: Apache-2.0
#include "analysis/Graph.h"

#include "facts/Facts.h"

#include <llvm/ADT/GraphTraits.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/iterator.h>
#include <llvm/Support/GenericDomTree.h>
#include <llvm/Support/GenericDomTreeConstruction.h>

namespace forerun::slicer {

struct Graph::Vertex {
  Vertices *parent = nullptr;
  std::vector<Vertex *> next, before;

  Vertices *getParent() const { return parent; }
  void printAsOperand(llvm::raw_ostream &, bool) const {} // for LLVM's debugging
};

struct Graph::Vertices : std::vector<Vertex> {
  using std::vector<Vertex>::vector;

  [[nodiscard]] int numberOf(const Vertex *vertex) const {
    return static_cast<int>(vertex - data()) - 1;
  }
};

} // namespace forerun::slicer

namespace llvm {
// NOLINTBEGIN(readability-identifier-naming): LLVM's names
using ForerunVertex = forerun::slicer::Graph::Vertex;

template <> struct GraphTraits<ForerunVertex *> {
  using NodeRef = ForerunVertex *;
  using ChildIteratorType = std::vector<NodeRef>::iterator;
  static NodeRef getEntryNode(NodeRef node) { return node; }
  static ChildIteratorType child_begin(NodeRef node) { return node->next.begin(); }
  static ChildIteratorType child_end(NodeRef node) { return node->next.end(); }
};

template <> struct GraphTraits<Inverse<ForerunVertex *>> : GraphTraits<ForerunVertex *> {
  static ChildIteratorType child_begin(NodeRef node) { return node->before.begin(); }
  static ChildIteratorType child_end(NodeRef node) { return node->before.end(); }
};

template <> struct GraphTraits<forerun::slicer::Graph::Vertices *> : GraphTraits<ForerunVertex *> {
  using nodes_iterator = pointer_iterator<std::vector<ForerunVertex>::iterator>;
  static NodeRef getEntryNode(forerun::slicer::Graph::Vertices *all) { return &all->front(); }
  static nodes_iterator nodes_begin(forerun::slicer::Graph::Vertices *all) {
    return nodes_iterator(all->begin());
  }
  static nodes_iterator nodes_end(forerun::slicer::Graph::Vertices *all) {
    return nodes_iterator(all->end());
  }
};
// NOLINTEND(readability-identifier-naming)
} // namespace llvm

namespace forerun::slicer {

/// The first vertex leads to where a search begins; it has no number.
Graph::Graph(std::size_t size) : all_(std::make_unique<Vertices>(size + 1)) {
  for (Vertex &each : *all_)
    each.parent = all_.get();
}

Graph::~Graph() = default;

void Graph::add(int from, int to) {
  Vertex &one = (*all_)[from + 1], &other = (*all_)[to + 1];
  one.next.push_back(&other);
  other.before.push_back(&one);
}

std::vector<std::vector<int>> Graph::components() {
  Vertex &start = all_->front();
  start.next.clear();
  for (std::size_t i = 1; i < all_->size(); ++i)
    start.next.push_back(&(*all_)[i]);
  std::vector<std::vector<int>> result;
  for (auto each = llvm::scc_begin(&start); !each.isAtEnd(); ++each) {
    result.emplace_back();
    for (const Vertex *vertex : *each)
      result.back().push_back(all_->numberOf(vertex));
  }
  result.pop_back(); // the start is a component of its own, and the last
  return result;
}

std::vector<int> Graph::dominators(const std::vector<int> &entries) {
  Vertex &start = all_->front();
  start.next.clear();
  for (const int each : entries) {
    start.next.push_back(&(*all_)[each + 1]);
    (*all_)[each + 1].before.push_back(&start);
  }
  llvm::DominatorTreeBase<Vertex, false> tree;
  tree.recalculate(*all_);
  std::vector<int> result(all_->size() - 1, kNone);
  for (std::size_t i = 0; i < result.size(); ++i)
    if (const auto *node = tree.getNode(&(*all_)[i + 1]))
      result[i] = all_->numberOf(node->getIDom()->getBlock());
  return result;
}

} // namespace forerun::slicer

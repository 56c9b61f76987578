// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace forerun::slicer {

/// A directed graph of numbered vertices, for LLVM's algorithms.
class Graph {
public:
  explicit Graph(std::size_t size);
  ~Graph();

  void add(int from, int to);
  /// The strongly connected components, each before those that lead to it. They are searched from the
  /// first vertex on, along the edges in the order in which they were added.
  std::vector<std::vector<int>> components();
  /// By vertex: the nearest other one on all ways to it from the entries; kNone: there is none.
  std::vector<int> dominators(const std::vector<int> &entries);

  // For LLVM.
  struct Vertex;
  struct Vertices;

private:
  std::unique_ptr<Vertices> all_;
};

} // namespace forerun::slicer

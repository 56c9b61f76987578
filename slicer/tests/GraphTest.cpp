// SPDX-License-Identifier: Apache-2.0
#include "analysis/Graph.h"
#include "facts/Facts.h"
#include "models/Worklist.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forerun::slicer {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

TEST(Graph, AComponentComesBeforeThoseThatLeadToIt) {
  Graph graph(5);
  graph.add(0, 1);
  graph.add(1, 2);
  graph.add(2, 1);
  graph.add(2, 3);
  graph.add(4, 4);
  EXPECT_THAT(graph.components(), ElementsAre(ElementsAre(3), UnorderedElementsAre(1, 2),
                                              ElementsAre(0), ElementsAre(4)));
}

TEST(Graph, AVertexIsDominatedByWhatAllWaysToItHaveInCommon) {
  Graph graph(6); // 0 branches to 1 and 2, which meet in 3; 3 has a loop with 4; nothing leads to 5
  graph.add(0, 1);
  graph.add(0, 2);
  graph.add(1, 3);
  graph.add(2, 3);
  graph.add(3, 4);
  graph.add(4, 3);
  graph.add(5, 4);
  EXPECT_THAT(graph.dominators({0}), ElementsAre(kNone, 0, 0, 0, 3, kNone));
}

TEST(Graph, WhatSeveralEntriesReachHasNoDominator) {
  Graph graph(3);
  graph.add(0, 2);
  graph.add(1, 2);
  EXPECT_THAT(graph.dominators({0, 1}), ElementsAre(kNone, kNone, kNone));
}

TEST(Worklist, WhatIsAddedTwiceIsVisitedOnce) {
  Worklist<int> open{1};
  std::vector<int> visited;
  while (const auto each = open.next()) {
    visited.push_back(*each);
    open.addAll(std::vector{2 * *each % 7, 3 * *each % 7});
  }
  EXPECT_THAT(visited, UnorderedElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(open.met(), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_FALSE(open.add(4));
}

} // namespace
} // namespace forerun::slicer

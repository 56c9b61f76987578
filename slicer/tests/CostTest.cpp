// SPDX-License-Identifier: Apache-2.0
#include "slice/needs/Cost.h"

#include <gtest/gtest.h>

/// \file
/// When another slice is better.

namespace forerun::slicer::testing {
namespace {

const Gain kGain{{&Cost::waits, &Cost::loops}, {{&Cost::waits}, {&Cost::data, &Cost::computing}}};

TEST(Costs, APartThatMayNotBeMoreOutweighsAnyGain) {
  EXPECT_TRUE(kGain.isGained({.waits = 1, .loops = 1}, {.waits = 2, .loops = 1}));
  EXPECT_FALSE(kGain.isGained({.waits = 1, .loops = 2}, {.waits = 2, .loops = 1}));
}

TEST(Costs, AllPartsOfOneGainHaveToBeLess) {
  EXPECT_FALSE(kGain.isGained({.computing = 1, .data = 1}, {.computing = 1, .data = 2}));
  EXPECT_TRUE(kGain.isGained({.computing = 1, .data = 1}, {.computing = 2, .data = 2}));
}

TEST(Costs, TheSameCostIsNoLossAndNoGainUnlessNothingHasToBeLess) {
  const Cost same{.waits = 3, .loops = 4};
  EXPECT_TRUE(kGain.isNoLoss(same, same));
  EXPECT_FALSE(kGain.isGained(same, same));
  EXPECT_TRUE((Gain{{&Cost::waits}, {}}.isGained(same, same)));
}

TEST(Costs, SmallSlicesMayGrowByMoreThanTheirPart) {
  constexpr Growth kGrowth{.least = 8, .part = 4};
  EXPECT_TRUE(kGrowth.allows({.nodes = 12}, {.nodes = 4}));
  EXPECT_FALSE(kGrowth.allows({.nodes = 13}, {.nodes = 4}));
  EXPECT_TRUE(kGrowth.allows({.nodes = 125}, {.nodes = 100}));
  EXPECT_FALSE(kGrowth.allows({.nodes = 126}, {.nodes = 100}));
}

} // namespace
} // namespace forerun::slicer::testing

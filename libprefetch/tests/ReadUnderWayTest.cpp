// SPDX-License-Identifier: Apache-2.0
#include "files/ReadUnderWay.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace forerun {
namespace {

TEST(ReadUnderWayTest, ItBringsWhatLiesWithinItUntilItEnds) {
  ReadUnderWay read;
  EXPECT_FALSE(read.brings(0, 1)) << "there is none";
  read.begin(100, 50);
  EXPECT_FALSE(read.brings(99, 10));
  EXPECT_FALSE(read.brings(145, 6));
  EXPECT_FALSE(read.brings(UINT64_MAX - 1, 3));
  EXPECT_FALSE(read.brings(110, UINT64_MAX));
  EXPECT_TRUE(read.brings(100, 50));
  EXPECT_TRUE(read.brings(149, 1));
  read.end();
  EXPECT_FALSE(read.brings(100, 50));
}

} // namespace
} // namespace forerun

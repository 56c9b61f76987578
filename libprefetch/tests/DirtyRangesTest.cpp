// SPDX-License-Identifier: Apache-2.0
#include "courier/DirtyRanges.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

namespace forerun {
namespace {

constexpr CallId kFirst{0, 0}, kSecond{1, 0}, kThird{2, 0};

class DirtyRangesTest : public testing::Test {
protected:
  std::optional<CallId> pending(std::uint64_t offset, std::uint64_t length) {
    return ranges_.lastPendingIn(offset, length, progress_);
  }
  Progress progress_{3};
  DirtyRanges ranges_;
};

TEST_F(DirtyRangesTest, NeighboursDoNotOverlap) {
  ranges_.add(100, 50, kFirst, 1);
  EXPECT_FALSE(pending(0, 100));
  EXPECT_FALSE(pending(150, 10));
  EXPECT_FALSE(pending(120, 0));
  EXPECT_EQ(pending(149, 1), kFirst);
  EXPECT_EQ(pending(0, 101), kFirst);
  EXPECT_EQ(pending(0, 1000), kFirst);
}

TEST_F(DirtyRangesTest, ALaterWriteTakesItsBytesOver) {
  ranges_.add(0, 100, kFirst, 1);
  ranges_.add(40, 20, kSecond, 2);
  EXPECT_EQ(pending(0, 40), kFirst);
  EXPECT_EQ(pending(40, 20), kSecond);
  EXPECT_EQ(pending(60, 40), kFirst);
}

TEST_F(DirtyRangesTest, OfSeveralWritesTheLastInProgramOrderIsWaitedFor) {
  ranges_.add(0, 10, kThird, 3);
  ranges_.add(20, 10, kFirst, 1);
  ranges_.add(10, 10, kSecond, 2);
  EXPECT_EQ(pending(0, 30), kThird);
  EXPECT_EQ(pending(10, 20), kSecond);
}

TEST_F(DirtyRangesTest, AWriteThatHasPassedIsForgotten) {
  ranges_.add(0, 10, kFirst, 1);
  ranges_.add(20, 10, kSecond, 2);
  progress_.pass(0);
  EXPECT_FALSE(pending(0, 10));
  EXPECT_EQ(ranges_.size(), 1U);
  progress_.pass(1);
  ranges_.forgetPassed(progress_);
  EXPECT_TRUE(ranges_.empty());
}

TEST_F(DirtyRangesTest, AWriteThatHangsOnAWrongPredictionIsForgotten) {
  ranges_.add(0, 10, kFirst, 1);
  ranges_.add(20, 10, kSecond, 2, 7);
  ranges_.add(40, 10, kThird, 3, 9);
  ranges_.withdraw({7, 8});
  EXPECT_EQ(pending(0, 30), kFirst);
  EXPECT_FALSE(pending(20, 10));
  EXPECT_EQ(pending(0, 100), kThird);
}

TEST_F(DirtyRangesTest, RangesAtTheEndOfTheAddressSpaceDoNotWrap) {
  const auto most = std::numeric_limits<std::uint64_t>::max();
  ranges_.add(most - 10, 100, kFirst, 1);
  EXPECT_EQ(pending(most - 1, 1), kFirst);
  EXPECT_FALSE(pending(0, 100));
}

TEST_F(DirtyRangesTest, AgreesWithAByteByByteModel) {
  constexpr std::uint64_t kBytes = 200;
  std::mt19937 random(7);
  std::vector<Sequence> model(kBytes, 0);
  Progress none(1000);
  for (Sequence order = 1; order < 1000; ++order) {
    const std::uint64_t offset = random() % kBytes, length = random() % (kBytes - offset) / 4;
    ranges_.add(offset, length, {static_cast<int>(order), 0}, order);
    std::fill_n(model.begin() + static_cast<std::ptrdiff_t>(offset), length, order);
    const std::uint64_t from = random() % kBytes, bytes = random() % (kBytes - from) + 1;
    const Sequence expected =
        *std::max_element(model.begin() + static_cast<std::ptrdiff_t>(from),
                          model.begin() + static_cast<std::ptrdiff_t>(from + bytes));
    const auto found = ranges_.lastPendingIn(from, bytes, none);
    EXPECT_EQ(found ? found->site : 0, static_cast<int>(expected));
  }
}

} // namespace
} // namespace forerun

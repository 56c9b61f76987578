// SPDX-License-Identifier: Apache-2.0
#include "channels/Trail.h"

#include <array>
#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>

namespace forerun {
namespace {

class TrailTest : public testing::Test {
protected:
  using Bytes = std::array<unsigned char, Trail::kMaxBytes>;

  static Trail::Range rangeOf(std::uint64_t offset, std::uint64_t length) {
    return {.slot = 1, .generation = 3, .offset = offset, .length = length};
  }
  /// Of the bytes at \p offset.
  static unsigned char markOf(std::uint64_t offset) {
    return static_cast<unsigned char>(offset * 31);
  }
  bool leave(std::uint64_t offset, std::uint64_t length) {
    Bytes bytes;
    std::memset(bytes.data(), markOf(offset), length);
    return trail.leave(rangeOf(offset, length), bytes.data());
  }
  /// With the right bytes, and no other ones touched.
  bool take(std::uint64_t offset, std::uint64_t length) {
    Bytes bytes{};
    if (!trail.take(rangeOf(offset, length), bytes.data()))
      return false;
    for (std::size_t n = 0; n < bytes.size(); ++n)
      EXPECT_EQ(bytes[n], n < length ? markOf(offset) : 0) << n;
    return true;
  }

  Trail trail;
};

TEST_F(TrailTest, WhatWasReadIsTakenInItsOrder) {
  EXPECT_FALSE(take(1, 10)) << "there is nothing yet";
  leave(1, 10);
  leave(2, 4096);
  leave(3, 1);
  EXPECT_TRUE(take(1, 10));
  EXPECT_TRUE(take(3, 1)) << "what lies between is passed over";
  EXPECT_FALSE(take(2, 4096));
  leave(1, 10);
  EXPECT_TRUE(take(1, 10)) << "it was read once more";
  EXPECT_FALSE(take(1, 10));
}

TEST_F(TrailTest, AnotherRangeOrFileIsNotTaken) {
  leave(1, 10);
  EXPECT_FALSE(take(1, 9));
  EXPECT_FALSE(take(2, 10));
  Bytes bytes;
  EXPECT_FALSE(trail.take({.slot = 2, .generation = 3, .offset = 1, .length = 10}, bytes.data()));
  EXPECT_FALSE(trail.take({.slot = 1, .generation = 5, .offset = 1, .length = 10}, bytes.data()));
  EXPECT_TRUE(take(1, 10));
}

TEST_F(TrailTest, ALongReadLeavesNothing) {
  std::array<unsigned char, Trail::kMaxBytes + 1> bytes{};
  trail.leave(rangeOf(0, bytes.size()), bytes.data());
  EXPECT_FALSE(trail.take(rangeOf(0, bytes.size()), bytes.data()));
}

TEST_F(TrailTest, TheOldestIsOverwritten) {
  constexpr std::uint64_t kReads = 10'000;
  for (std::uint64_t n = 0; n < kReads; ++n)
    leave(n, 1 + n % 4096);
  EXPECT_FALSE(take(0, 1));
  std::uint64_t oldest = kReads;
  while (!take(oldest - 50, 1 + (oldest - 50) % 4096))
    oldest -= 10; // the reader looks only a little way on from the oldest
  for (std::uint64_t n = oldest - 49; n < kReads; ++n)
    EXPECT_TRUE(take(n, 1 + n % 4096)) << n;
}

TEST_F(TrailTest, OfAReaderThatFallsBehindItIsToldOnceForEachHalf) {
  constexpr std::uint64_t kHalf = Trail::kWords * 8 / 2 / Trail::kMaxBytes;
  unsigned told = 0;
  for (std::uint64_t n = 0; n < 4 * kHalf; ++n)
    told += leave(n, Trail::kMaxBytes) ? 1 : 0;
  EXPECT_EQ(told, 4U);
  told = 0;
  for (std::uint64_t n = 0; n < 4 * kHalf; ++n)
    take(n, Trail::kMaxBytes);
  for (std::uint64_t n = 4 * kHalf; n < 8 * kHalf; ++n) {
    told += leave(n, Trail::kMaxBytes) ? 1 : 0;
    take(n, Trail::kMaxBytes);
  }
  EXPECT_EQ(told, 0U) << "the reader is near";
}

/// The reader is up to half as much again behind as the ring holds.
TEST_F(TrailTest, WhatIsBeingOverwrittenIsNeverTaken) {
  constexpr std::uint64_t kReads = 200'000, kMaxBehind = 3000;
  std::atomic<std::uint64_t> left{0}, reached{0};
  std::thread program([&] {
    for (std::uint64_t n = 0; n < kReads; ++n) {
      while (n > reached + kMaxBehind)
        std::this_thread::yield();
      leave(n, 8 + n % 1000);
      left = n + 1;
    }
  });
  std::uint64_t taken = 0;
  for (std::uint64_t n = 0; n < kReads; reached = ++n) {
    while (left <= n)
      std::this_thread::yield();
    taken += take(n, 8 + n % 1000) ? 1 : 0;
  }
  program.join();
  EXPECT_GT(taken, 0U);
}

} // namespace
} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#include "files/LatestRead.h"
#include "files/ReadUnderWay.h"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>
#include <vector>

namespace forerun {
namespace {

constexpr std::uint64_t kTicket = 7, kLater = 8, kMost = LatestRead::kMostBytes;

class LatestReadTest : public testing::Test {
protected:
  LatestReadTest() : file(kMost + 1) { std::iota(file.begin(), file.end(), std::uint8_t{0}); }

  void keep(std::uint64_t offset, std::size_t length) {
    latest.keep(kTicket, &file[offset], offset, length);
  }
  bool take(std::uint64_t offset, std::uint64_t length, std::uint64_t ticket = kTicket) {
    return latest.take(ticket, offset, length, bytes);
  }

  std::vector<std::uint8_t> file;
  LatestRead latest;
  std::vector<std::byte> bytes;
};

TEST_F(LatestReadTest, WhatLiesWithinItIsTaken) {
  keep(100, 50);
  for (const std::uint64_t offset : {100U, 120U, 147U}) {
    ASSERT_TRUE(take(offset, 3));
    ASSERT_EQ(bytes.size(), 3U);
    for (std::size_t n = 0; n < 3; ++n)
      EXPECT_EQ(std::to_integer<std::uint64_t>(bytes[n]), offset + n);
  }
  EXPECT_TRUE(take(100, 50));
}

TEST_F(LatestReadTest, WhatLiesPartlyOutsideIsNot) {
  EXPECT_FALSE(take(0, 1)) << "there is none";
  keep(100, 50);
  EXPECT_FALSE(take(99, 3));
  EXPECT_FALSE(take(148, 3));
  EXPECT_FALSE(take(90, 100));
  EXPECT_FALSE(take(UINT64_MAX - 1, 3));
  EXPECT_FALSE(take(110, UINT64_MAX));
}

TEST_F(LatestReadTest, AfterAChangeOfTheFileNothingIsTaken) {
  keep(100, 50);
  EXPECT_FALSE(take(110, 3, kLater));
}

TEST_F(LatestReadTest, TheLatestReplacesTheOneBefore) {
  keep(100, 50);
  keep(10, 5);
  EXPECT_FALSE(take(110, 3));
  EXPECT_TRUE(take(10, 5));
}

TEST_F(LatestReadTest, TooManyBytesAreNotKept) {
  keep(0, kMost);
  EXPECT_TRUE(take(kMost - 1, 1));
  latest.keep(kLater, file.data(), 0, kMost + 1);
  EXPECT_FALSE(take(0, 1, kLater));
}

TEST(ReadUnderWayTest, OnlyAReadThatBringsAllIsAwaited) {
  ReadUnderWay read;
  EXPECT_FALSE(read.await(0, 1, kMost)) << "there is none";
  read.begin(100, 50);
  EXPECT_FALSE(read.await(99, 10, kMost));
  EXPECT_FALSE(read.await(145, 6, kMost));
  EXPECT_TRUE(read.await(100, 50, kMost));
  EXPECT_FALSE(read.await(100, 50, 49)) << "it takes too long";
}

TEST(ReadUnderWayTest, ItsEndWakesOnlyIfItIsAwaited) {
  ReadUnderWay read;
  read.begin(100, 50);
  EXPECT_FALSE(read.end());
  read.begin(100, 50);
  read.await(100, 50, kMost);
  EXPECT_TRUE(read.end());
  read.begin(100, 50);
  EXPECT_FALSE(read.end());
}

/// As a courier does: it asks for the wake-up, looks again, and only then sleeps.
TEST(ReadUnderWayTest, NoEndIsMissed) {
  ReadUnderWay read;
  for (unsigned n = 0; n < 20'000; ++n) {
    read.begin(0, 10);
    bool woken = false;
    std::thread program([&] { woken = read.end(); });
    const bool sleeps = read.await(0, 10, kMost);
    program.join();
    ASSERT_TRUE(woken || !sleeps) << n;
  }
}

} // namespace
} // namespace forerun

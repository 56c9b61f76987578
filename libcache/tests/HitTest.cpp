// SPDX-License-Identifier: Apache-2.0
// Reads that find everything in one page do without the mutex, with no observable difference.
#include "CacheFixture.h"

#include <atomic>
#include <cstring>
#include <thread>

using namespace forerun;

namespace {

class Hitting : public CacheFixture {
protected:
  void fillAll() {
    for (std::uint64_t page = 0; page < 8; ++page)
      fill(page * kPage, kPage);
  }
};

TEST_F(Hitting, KeepsTheOrderOfReplacementThatReadsHave) {
  fillAll();
  for (const std::uint64_t page : {2, 0, 1, 7, 6, 5, 4, 3, 2})
    EXPECT_EQ(outcomeOf(page * kPage, 10), Outcome::Hit);
  for (const std::uint64_t gone : {0, 1, 7, 6}) {
    EXPECT_TRUE(covered(gone * kPage, kPage));
    fill((20 + gone) * kPage, kPage);
    EXPECT_FALSE(covered(gone * kPage, 1));
  }
}

TEST_F(Hitting, AgainAndAgainLosesNoTouch) {
  fillAll();
  for (unsigned i = 0; i < 1000; ++i)
    EXPECT_EQ(outcomeOf((i % 7 + 1) * kPage, 10), Outcome::Hit);
  fill(20 * kPage, kPage);
  EXPECT_FALSE(covered(0, 1));
  EXPECT_TRUE(covered(kPage, 7 * kPage));
  EXPECT_EQ(stats().hits, 1000U);
  EXPECT_EQ(stats().hitBytes, 10'000U);
  EXPECT_EQ(cache->stats().hits, 1000U);
}

TEST_F(Hitting, APageReadForTheLastTimeStillGoesFirst) {
  fillAll();
  bring(0, kPage, 1); // announced, although present
  EXPECT_EQ(outcomeOf(0, 10), Outcome::Hit);
  cache->retire(1);
  fill(20 * kPage, kPage);
  EXPECT_FALSE(covered(0, 1));
}

TEST_F(Hitting, CountsWhatWasFetchedAheadBeforeItDoesWithoutTheMutex) {
  bring(0, kPage);
  for (int again = 0; again < 3; ++again)
    EXPECT_EQ(outcomeOf(0, kSector), Outcome::Hit);
  EXPECT_EQ(stats().usefulBytes, kSector);
  for (int again = 0; again < 3; ++again)
    EXPECT_EQ(outcomeOf(kSector, kSector), Outcome::Hit);
  EXPECT_EQ(stats().usefulBytes, 2 * kSector);
}

TEST_F(Hitting, EndsWithAWriteAndLeavesTheOtherSectors) {
  fill(0, kPage);
  cache->invalidate(*file, kSector, 1);
  EXPECT_EQ(outcomeOf(kSector, 10), Outcome::Miss);
  EXPECT_EQ(outcomeOf(0, 10), Outcome::Hit);
  EXPECT_EQ(outcomeOf(2 * kSector, 10), Outcome::Hit);
}

TEST_F(Hitting, ServesNothingWhileANonBlockingWriteToTheSameSectorIsUnderWay) {
  cache->setVolatile(*file, this, 100, 100);
  bring(200, 100); // brings the whole sector
  EXPECT_EQ(outcomeOf(200, 100), Outcome::Hit);
  EXPECT_EQ(outcomeOf(200, 100), Outcome::Hit);
  EXPECT_EQ(outcomeOf(100, 100), Outcome::Miss);
}

TEST_F(Hitting, IsCutAtTheEndOfTheFile) {
  fill(0, kPage + 100, true);
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(read(kPage + 50, 100).bytes, 50U);
    EXPECT_EQ(read(kPage + 50, 50).bytes, 50U);
    EXPECT_EQ(read(kPage, 10).outcome, Outcome::Hit);
  }
}

TEST_F(Hitting, ReadersMeetAWriterAndSeeEachPageBeforeOrAfterTheWrite) {
  constexpr unsigned kWrites = 300;
  std::atomic<unsigned> written{0};
  std::atomic<std::uint64_t> served{0}, wrong{0};
  const auto bytesOfWrite = [](unsigned write) {
    std::vector<char> bytes(kPage);
    for (std::size_t at = 0; at < bytes.size(); at += sizeof write)
      std::memcpy(&bytes[at], &write, sizeof write);
    return bytes;
  };
  const auto readOnce = [&] {
    std::vector<unsigned> got(kPage / sizeof(unsigned));
    const unsigned before = written;
    if (cache->read(*file, got.data(), 0, kPage).outcome != Outcome::Hit)
      return;
    ++served;
    if (got.front() < before || std::ranges::any_of(got, [&](unsigned x) { return x != got[0]; }))
      ++wrong;
  };
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i)
    readers.emplace_back([&] {
      while (written < kWrites)
        readOnce();
    });
  for (unsigned write = 1; write <= kWrites; ++write) {
    cache->invalidate(*file, 0, kPage);
    written = write;
    const std::vector<char> bytes = bytesOfWrite(write);
    cache->fill(*file, cache->ticket(*file), bytes.data(), 0, kPage, false);
    for (const std::uint64_t seen = served; served < seen + 3 && write < kWrites;)
      std::this_thread::yield();
  }
  for (std::thread &reader : readers)
    reader.join();
  EXPECT_EQ(wrong, 0U);
}

} // namespace

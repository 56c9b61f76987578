// SPDX-License-Identifier: Apache-2.0
// Reads: what is served, what waits, what is a miss, and what is counted.
#include "CacheFixture.h"

using namespace forerun;

namespace {

class Reading : public CacheFixture {};

TEST_F(Reading, OfBytesThatNobodyBroughtIsAMissAtOnce) {
  EXPECT_EQ(outcomeOf(100, 1000), Outcome::Miss);
  EXPECT_EQ(engine->submitted(), 0U);
  EXPECT_EQ(stats().misses, 1U);
  EXPECT_EQ(stats().missBytes, 1000U);
}

TEST_F(Reading, OfPrefetchedBytesIsAHitWithTheBytesOfTheFile) {
  bring(100, 3 * kPage);
  const ReadResult result = read(100, 3 * kPage);
  EXPECT_EQ(result.outcome, Outcome::Hit);
  EXPECT_EQ(result.bytes, 3 * kPage);
  EXPECT_TRUE(brought(100, 3 * kPage));
  EXPECT_EQ(stats().hits, 1U);
  EXPECT_EQ(stats().hitBytes, 3 * kPage);
}

TEST_F(Reading, OfNothingIsAHitThatIsNotCounted) {
  const ReadResult result = read(5, 0);
  EXPECT_EQ(result.outcome, Outcome::Hit);
  EXPECT_EQ(result.bytes, 0U);
  EXPECT_EQ(stats().hits, 0U);
}

TEST_F(Reading, WaitsForTheFetchUnderWayAndFetchesNothingTwice) {
  prefetch(0, kPage);
  auto result = readAside(10, 1000);
  engine->waitForRaised(1);
  EXPECT_EQ(engine->queued().front().kind, FetchKind::Demand);
  engine->finishAll();
  EXPECT_EQ(result.get().outcome, Outcome::Late);
  EXPECT_TRUE(brought(10, 1000));
  EXPECT_EQ(engine->submitted(), 1U);
  EXPECT_EQ(stats().late, 1U);
  EXPECT_EQ(stats().lateBytes, 1000U);
}

TEST_F(Reading, RaisesOnlyTheQueuedFetchesThatItNeeds) {
  prefetch(0, kPage, 1);
  prefetch(kPage, kPage, 2);
  auto result = readAside(kPage, 8);
  engine->waitForRaised(1);
  EXPECT_EQ(engine->queued()[0].kind, FetchKind::Prefetch);
  EXPECT_EQ(engine->queued()[1].kind, FetchKind::Demand);
  engine->finishAll();
  EXPECT_EQ(result.get().outcome, Outcome::Late);
}

TEST_F(Reading, FetchesTheGapsOfARangeThatIsThereInPartAllAtOnce) {
  bring(kPage, kSector);
  auto result = readAside(kPage - kSector, 3 * kSector);
  engine->waitForSubmitted(3);
  const auto gaps = engine->queued();
  ASSERT_EQ(gaps.size(), 2U);
  EXPECT_EQ(gaps[0].offset, kPage - kSector);
  EXPECT_EQ(gaps[0].length, kSector);
  EXPECT_EQ(gaps[1].offset, kPage + kSector);
  EXPECT_EQ(gaps[1].kind, FetchKind::Demand);
  engine->finishAll();
  EXPECT_EQ(result.get().outcome, Outcome::Late);
  EXPECT_TRUE(brought(kPage - kSector, 3 * kSector));
}

TEST_F(Reading, WhoseFetchFailsIsAMissAndTheBytesAreAbsentAgain) {
  prefetch(0, kPage);
  auto result = readAside(0, kPage);
  engine->waitForRaised(1);
  engine->fail(0);
  EXPECT_EQ(result.get().outcome, Outcome::Miss);
  EXPECT_FALSE(covered(0, 1));
  EXPECT_EQ(stats().failedFetches, 1U);
  bring(0, kPage, 2);
  EXPECT_EQ(outcomeOf(0, kPage), Outcome::Hit);
}

TEST_F(Reading, ByTwoThreadsOfOneFetchingPageFetchesItOnce) {
  prefetch(0, kPage);
  std::vector<char> other(kPage);
  auto first = readAside(0, kPage);
  auto second =
      std::async(std::launch::async, [&] { return cache->read(*file, other.data(), 0, kPage); });
  engine->waitForRaised(1);
  engine->finishAll();
  EXPECT_NE(first.get().outcome, Outcome::Miss);
  EXPECT_NE(second.get().outcome, Outcome::Miss);
  EXPECT_EQ(buffer, other);
  EXPECT_EQ(engine->submitted(), 1U);
}

TEST_F(Reading, HidesTheTimeOfAFetchOnceAndOnlyWhatItDidNotWait) {
  engine->fetchNs = 5'000'000;
  bring(0, kPage);
  EXPECT_EQ(read(0, kSector).hiddenNs, 5'000'000U);
  EXPECT_EQ(read(kSector, kSector).hiddenNs, 0U);
}

TEST_F(Reading, OfPagesFetchedSideBySideHidesTheLongestFetch) {
  engine->fetchNs = 3'000'000;
  bring(0, 2 * kPage);
  EXPECT_EQ(read(0, 2 * kPage).hiddenNs, 3'000'000U);
}

TEST_F(Reading, CountsEveryPrefetchedSectorAsUsefulOnce) {
  bring(0, kPage);
  read(0, 10);
  read(0, 10);
  EXPECT_EQ(stats().usefulBytes, kSector);
  read(0, kPage);
  EXPECT_EQ(stats().usefulBytes, kPage);
  EXPECT_EQ(stats().fetchedBytes, kPage);
  EXPECT_EQ(stats().uselessBytes, 0U);
}

TEST_F(Reading, LargerThanTheCacheIsServedWhereItsBeginningIsThere) {
  const std::size_t length = 24 * kPage; // three times the capacity
  bring(0, 2 * kPage);
  auto result = readAside(0, length);
  while (result.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    engine->finishAll();
    std::this_thread::yield();
  }
  EXPECT_EQ(result.get().outcome, Outcome::Late);
  EXPECT_TRUE(brought(0, length));
}

TEST_F(Reading, ThroughTheCacheHasGatheredFetchesIssuedFirst) {
  cache->gather();
  prefetch(0, kPage);
  std::vector<char> index(100);
  auto result = std::async(std::launch::async, [&] {
    return cache->readThrough(*file, index.data(), kPage, index.size(), 1);
  });
  engine->waitForSubmitted(2);
  EXPECT_EQ(engine->unflushed(), 0U);
  engine->finishAll();
  EXPECT_NE(result.get().outcome, Outcome::Miss);
  cache->flush();
}

TEST_F(Reading, ThroughTheCacheFetchesWhatIsAbsentAndLeavesAHit) {
  std::vector<char> index(100);
  auto result = std::async(std::launch::async, [&] {
    return cache->readThrough(*file, index.data(), kPage, index.size(), 1);
  });
  engine->waitForSubmitted(1);
  EXPECT_EQ(engine->queued().front().kind, FetchKind::Demand);
  engine->finishAll();
  EXPECT_NE(result.get().outcome, Outcome::Miss);
  EXPECT_EQ(index, bytesOf(kPage, 100));
  EXPECT_EQ(stats().hits + stats().late + stats().misses, 0U);
  EXPECT_EQ(outcomeOf(kPage, 100), Outcome::Hit);
  EXPECT_EQ(stats().usefulBytes, kSector);
}

TEST_F(Reading, APrivateReadWaitsForWhatTheProgramFetches) {
  std::vector<char> bytes(100), index(100);
  auto program = std::async(std::launch::async, [&] {
    return cache->readOrFetch(*file, bytes.data(), kPage + 10, bytes.size());
  });
  engine->waitForSubmitted(1);
  auto thread = std::async(std::launch::async, [&] {
    return cache->readThrough(*file, index.data(), kPage + 10, index.size(), 1);
  });
  EXPECT_EQ(thread.wait_for(std::chrono::milliseconds(10)), std::future_status::timeout);
  engine->finishAll();
  EXPECT_EQ(engine->submitted(), 1U);
  const ReadResult result = program.get();
  EXPECT_TRUE(result.fetched);
  EXPECT_EQ(result.bytes, 100U);
  EXPECT_EQ(result.hiddenNs, 0U);
  EXPECT_NE(thread.get().outcome, Outcome::Miss);
  EXPECT_EQ(bytes, bytesOf(kPage + 10, 100));
  EXPECT_EQ(index, bytes);
  EXPECT_EQ(stats().misses, 1U);
  EXPECT_EQ(stats().hits + stats().late, 0U);
  EXPECT_EQ(outcomeOf(kPage + 10, 100), Outcome::Hit);
}

TEST_F(Reading, WhatIsThereTheProgramDoesNotFetch) {
  bring(0, kPage);
  std::vector<char> bytes(100);
  const ReadResult result = cache->readOrFetch(*file, bytes.data(), 10, bytes.size());
  EXPECT_EQ(result.outcome, Outcome::Hit);
  EXPECT_FALSE(result.fetched);
  EXPECT_EQ(stats().hits, 1U);
}

TEST_F(Reading, WhatTheProgramCannotFetchIsAMiss) {
  std::vector<char> bytes(100);
  auto result = std::async(
      std::launch::async, [&] { return cache->readOrFetch(*file, bytes.data(), 0, bytes.size()); });
  engine->waitForSubmitted(1);
  engine->fail(0);
  EXPECT_EQ(result.get().outcome, Outcome::Miss);
  EXPECT_EQ(stats().misses, 1U);
}

TEST_F(Reading, ThroughTheCacheIsAMissWhereTheStorageFails) {
  std::vector<char> index(100);
  auto result = std::async(std::launch::async, [&] {
    return cache->readThrough(*file, index.data(), 0, index.size(), 1);
  });
  engine->waitForSubmitted(1);
  engine->fail(0);
  EXPECT_EQ(result.get().outcome, Outcome::Miss);
}

TEST_F(Reading, ThroughTheCacheWaitsForAFrameWhenAllAreInFlight) {
  ASSERT_EQ(prefetch(0, 8 * kPage), Announced::Accepted);
  std::vector<char> index(100);
  auto result = std::async(std::launch::async, [&] {
    return cache->readThrough(*file, index.data(), 20 * kPage, index.size(), 2);
  });
  engine->finishAll();
  engine->waitForSubmitted(9);
  engine->finishAll();
  EXPECT_NE(result.get().outcome, Outcome::Miss);
  EXPECT_EQ(index, bytesOf(20 * kPage, 100));
}

class ReadingWithOneFrame : public CacheFixture {
protected:
  ReadingWithOneFrame() : CacheFixture(1) {}
};

TEST_F(ReadingWithOneFrame, GivesUpThePageBehindTheGapForTheGap) {
  bring(kPage, kPage);
  auto result = readAside(0, 2 * kPage);
  engine->waitForSubmitted(2);
  engine->finishAll();
  engine->waitForSubmitted(3);
  engine->finishAll();
  EXPECT_EQ(result.get().outcome, Outcome::Late);
  EXPECT_TRUE(brought(0, 2 * kPage));
}

class LongReading : public CacheFixture {
protected:
  static constexpr std::size_t kFrames = 32, kLong = 20;
  LongReading() : CacheFixture(kFrames) {}
};

TEST_F(LongReading, OfWhatIsMostlyAbsentIsAMissAndPushesOutNothing) {
  for (std::uint64_t page = 0; page < kFrames; ++page)
    bring((30 + page) * kPage, kPage, page + 1);
  EXPECT_EQ(outcomeOf(11 * kPage, kLong * kPage), Outcome::Miss) << "only its last page is there";
  EXPECT_EQ(stats().evictions, 0U);
  for (std::uint64_t page = 0; page < kFrames; ++page)
    EXPECT_EQ(outcomeOf((30 + page) * kPage, kPage), Outcome::Hit) << page;
}

TEST_F(LongReading, AReadOfManyTimesTheCacheIsAMiss) {
  for (std::uint64_t page = 0; page < kFrames; ++page)
    bring(page * kPage, kPage, 1);
  for (std::uint64_t page = 0; page < 4; ++page) // a part that has been evicted since
    cache->invalidate(*file, page * kPage, 1);
  EXPECT_EQ(outcomeOf(0, 10 * kFrames * kPage), Outcome::Miss);
  EXPECT_EQ(stats().fetches, kFrames);
}

TEST_F(LongReading, OfWhatIsThereForOneHalfFetchesTheOtherHalf) {
  for (std::uint64_t page = 0; page < kLong; page += 2)
    bring(page * kPage, kPage);
  auto reading = readAside(0, kLong * kPage);
  while (reading.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready)
    engine->finishAll();
  EXPECT_EQ(reading.get().outcome, Outcome::Late);
  EXPECT_TRUE(brought(0, kLong * kPage));
}

TEST_F(Reading, CoversWhatIsPresentOrOnItsWay) {
  bring(0, kSector);
  prefetch(kSector, kSector, 2);
  EXPECT_TRUE(covered(0, 2 * kSector));
  EXPECT_TRUE(covered(0, 0));
  EXPECT_FALSE(covered(0, 2 * kSector + 1));
  EXPECT_FALSE(covered(0, std::uint64_t{1} << 62));
}

TEST_F(Reading, BehindTheLastPossibleOffsetIsAMiss) {
  const std::uint64_t top = std::uint64_t{1} << 63;
  EXPECT_EQ(outcomeOf(top - 10, 20), Outcome::Miss);
  EXPECT_EQ(outcomeOf(top + 5, 20), Outcome::Miss);
  EXPECT_EQ(outcomeOf(~std::uint64_t{0} - 5, 20), Outcome::Miss);
  EXPECT_EQ(prefetch(~std::uint64_t{0} - 5, 20), Announced::Accepted);
  EXPECT_EQ(engine->submitted(), 0U);
}

TEST_F(Reading, JustBelowTheLastPossibleOffsetWorksAsAnywhere) {
  const std::uint64_t top = (std::uint64_t{1} << 63) - kSector;
  fill(top, kSector);
  EXPECT_EQ(outcomeOf(top + 8, 100), Outcome::Hit);
  EXPECT_TRUE(brought(top + 8, 100));
}

TEST_F(Reading, KnowsPagesBehindFourGibibytesApart) {
  const std::uint64_t far = (std::uint64_t{1} << 32) + kPage;
  fill(kPage, kPage);
  fill(far, kPage, false, 1);
  EXPECT_EQ(outcomeOf(far, kPage), Outcome::Hit);
  EXPECT_TRUE(brought(far, kPage, 1));
  EXPECT_EQ(outcomeOf(kPage, kPage), Outcome::Hit);
  EXPECT_TRUE(brought(kPage, kPage, 0));
}

class ReadingPagesOfAnySize : public CacheFixture, public testing::WithParamInterface<std::size_t> {
protected:
  ReadingPagesOfAnySize() : CacheFixture(4, GetParam()) {}
};

TEST_P(ReadingPagesOfAnySize, ServesRangesAcrossPages) {
  const std::uint64_t pageBytes = GetParam();
  const std::uint64_t offset = pageBytes - 100;
  bring(offset, pageBytes + 200);
  EXPECT_EQ(outcomeOf(offset, pageBytes + 200), Outcome::Hit);
  EXPECT_TRUE(brought(offset, pageBytes + 200));
  EXPECT_EQ(stats().fetchedBytes, pageBytes + 2 * kSector);
}

INSTANTIATE_TEST_SUITE_P(Pages, ReadingPagesOfAnySize,
                         testing::Values(4096, 8192, 65536, 262144, 524288, 1048576));

} // namespace

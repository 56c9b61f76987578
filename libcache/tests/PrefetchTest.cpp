// SPDX-License-Identifier: Apache-2.0
// Announcements: what they fetch, what they evict, when they are refused.
#include "CacheFixture.h"

using namespace forerun;

namespace {

constexpr std::size_t kFrames = 8;

class Prefetching : public CacheFixture {
protected:
  /// Announces and brings pages [0, kFrames) as reads 1, 2, ...
  void bringAll() {
    for (Sequence use = 1; use <= kFrames; ++use)
      bring((use - 1) * kPage, kPage, use);
  }
  bool hasPage(std::uint64_t page) { return covered(page * kPage, kPage); }
};

TEST_F(Prefetching, FetchesTheSectorsThatAreNeededAndNoOthers) {
  prefetch(kSector + 1, 10);
  prefetch(kPage - 1, 2, 2);
  const auto requests = engine->queued();
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests[0].offset, kSector);
  EXPECT_EQ(requests[0].length, kSector);
  EXPECT_EQ(requests[0].kind, FetchKind::Prefetch);
  EXPECT_EQ(requests[0].sequence, 1U);
  EXPECT_EQ(requests[1].offset, kPage - kSector);
  EXPECT_EQ(requests[2].offset, kPage);
  EXPECT_EQ(requests[2].sequence, 2U);
}

TEST_F(Prefetching, OfNothingIsAcceptedAndDoesNothing) {
  EXPECT_EQ(prefetch(10, 0), Announced::Accepted);
  EXPECT_EQ(engine->submitted(), 0U);
}

TEST_F(Prefetching, OfWhatIsThereOrOnItsWayFetchesNothing) {
  bring(0, 2 * kSector, 1);
  prefetch(2 * kSector, kSector, 2);
  prefetch(0, kPage, 3);
  EXPECT_EQ(engine->submitted(), 3U);
  EXPECT_EQ(engine->queued().back().offset, 3 * kSector);
}

TEST_F(Prefetching, IsQueuedUntilTheFlushWhereFetchesAreGathered) {
  cache->gather();
  prefetch(0, kPage, 1);
  prefetch(kPage, kPage, 2);
  EXPECT_EQ(engine->unflushed(), 2U);
  cache->flush();
  EXPECT_EQ(engine->unflushed(), 0U);
  prefetch(2 * kPage, kPage, 3);
  EXPECT_EQ(engine->unflushed(), 0U);
}

TEST_F(Prefetching, GivesTheEngineAlignedBuffers) {
  prefetch(kSector, kPage);
  for (const FetchRequest &request : engine->queued())
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(request.buffer) % kSector, 0U);
}

TEST_F(Prefetching, IsFullAndDoesNothingWhenEveryPageIsNeededSooner) {
  bringAll();
  EXPECT_EQ(prefetch(20 * kPage, kPage, 9), Announced::Full);
  EXPECT_EQ(engine->submitted(), kFrames);
  for (std::uint64_t page = 0; page < kFrames; ++page)
    EXPECT_TRUE(hasPage(page));
}

TEST_F(Prefetching, ThatIsWithdrawnIsNotFetchedUnlessItIsBeingFetched) {
  prefetch(0, kPage, 1);
  prefetch(kPage, kPage, 2);
  prefetch(2 * kPage, kPage, 3);
  engine->readAt(2 * kPage);
  cache->withdraw(2, 3);
  ASSERT_EQ(engine->queued().size(), 1U);
  EXPECT_EQ(engine->queued()[0].offset, 0U);
  engine->deliver(2 * kPage);
  engine->finishAll();
  EXPECT_TRUE(hasPage(0));
  EXPECT_FALSE(hasPage(1));
  EXPECT_TRUE(hasPage(2));
  EXPECT_EQ(cache->stats().fetches, 2U);
  EXPECT_EQ(cache->stats().failedFetches, 0U);
  prefetch(kPage, kPage, 2); // anew
  engine->finishAll();
  EXPECT_TRUE(hasPage(1));
}

TEST_F(Prefetching, ThatIsWithdrawnIsFetchedWhereItIsAnnouncedElsewhere) {
  prefetch(0, kPage, 1);
  prefetch(0, kPage, 2);
  cache->withdraw(2, 2);
  engine->finishAll();
  EXPECT_TRUE(hasPage(0));
}

TEST_F(Prefetching, ThatIsWithdrawnKeepsNoPage) {
  bringAll();
  EXPECT_EQ(prefetch(20 * kPage, kPage, 9), Announced::Full);
  cache->withdraw(kFrames, kFrames);
  EXPECT_EQ(prefetch(20 * kPage, kPage, 9), Announced::Accepted);
  EXPECT_TRUE(hasPage(0));
  EXPECT_FALSE(hasPage(kFrames - 1));
}

TEST_F(Prefetching, IsAcceptedAgainWhenTheProgramHasPassedAPage) {
  bringAll();
  cache->retire(1);
  EXPECT_EQ(prefetch(20 * kPage, kPage, 9), Announced::Accepted);
  EXPECT_FALSE(hasPage(0));
  EXPECT_EQ(prefetch(21 * kPage, kPage, 10), Announced::Full);
}

TEST_F(Prefetching, OfSeveralPagesIsAcceptedAsAWholeOrNotAtAll) {
  bringAll();
  cache->retire(1);
  EXPECT_EQ(prefetch(20 * kPage, 2 * kPage, 9), Announced::Full);
  EXPECT_TRUE(hasPage(0));
  cache->retire(2);
  EXPECT_EQ(prefetch(20 * kPage, 2 * kPage, 9), Announced::Accepted);
}

TEST_F(Prefetching, DoesNotPushOutAPageOfItsOwnRange) {
  bringAll();
  cache->retire(kFrames);
  EXPECT_EQ(prefetch(0, kFrames * kPage, 9), Announced::Accepted);
  EXPECT_EQ(engine->submitted(), kFrames);
  cache->retire(9);
  EXPECT_EQ(prefetch(kPage, kFrames * kPage, 10), Announced::Accepted);
  EXPECT_EQ(engine->submitted(), kFrames + 1);
  EXPECT_FALSE(hasPage(0));
}

TEST_F(Prefetching, ForASoonerReadPushesOutThePageThatIsReadLast) {
  for (Sequence use = 11; use < 11 + kFrames; ++use)
    bring((use - 11) * kPage, kPage, use);
  EXPECT_EQ(prefetch(20 * kPage, kPage, 5), Announced::Accepted);
  EXPECT_FALSE(hasPage(kFrames - 1));
  for (std::uint64_t page = 0; page + 1 < kFrames; ++page)
    EXPECT_TRUE(hasPage(page));
}

TEST_F(Prefetching, KeepsAPageUntilTheLastOfItsAnnouncedReads) {
  bringAll();
  prefetch(0, 10, 20);
  cache->retire(1);
  EXPECT_EQ(prefetch(20 * kPage, kPage, 30), Announced::Full);
  cache->retire(20);
  EXPECT_EQ(prefetch(20 * kPage, kPage, 30), Announced::Accepted);
}

TEST_F(Prefetching, PushesOutPagesReadForTheLastTimeBeforeThoseNobodyAnnounced) {
  fill(30 * kPage, kPage);
  for (Sequence use = 1; use < kFrames; ++use)
    bring((use - 1) * kPage, kPage, use);
  cache->retire(1);
  EXPECT_EQ(prefetch(20 * kPage, kPage, 20), Announced::Accepted);
  EXPECT_FALSE(hasPage(0));
  EXPECT_TRUE(hasPage(30));
  EXPECT_EQ(prefetch(21 * kPage, kPage, 21), Announced::Accepted);
  EXPECT_FALSE(hasPage(30));
}

TEST_F(Prefetching, NeverPushesOutAPageThatIsBeingFetched) {
  prefetch(0, kFrames * kPage);
  cache->retire(1);
  EXPECT_EQ(prefetch(20 * kPage, kPage, 2), Announced::Full);
  engine->finish(3 * kPage);
  EXPECT_EQ(prefetch(20 * kPage, kPage, 2), Announced::Accepted);
  EXPECT_FALSE(hasPage(3));
}

TEST_F(Prefetching, NeverPushesOutAPageThatAReaderHolds) {
  bring(0, kPage, 1);
  prefetch(kPage, kPage, 2);
  auto result = readAside(0, 2 * kPage); // holds page 0 while it waits for page 1
  engine->waitForRaised(1);
  cache->retire(2);
  EXPECT_EQ(prefetch(20 * kPage, (kFrames - 1) * kPage, 3), Announced::Full);
  engine->finishAll();
  EXPECT_EQ(result.get().outcome, Outcome::Late);
  EXPECT_EQ(prefetch(20 * kPage, (kFrames - 1) * kPage, 3), Announced::Accepted);
}

TEST_F(Prefetching, WithoutASequenceNeverPushesOutAnAnnouncedPage) {
  bringAll();
  EXPECT_EQ(prefetch(20 * kPage, kPage, 0), Announced::Full);
  cache->retire(1);
  EXPECT_EQ(prefetch(20 * kPage, kPage, 0), Announced::Accepted);
  engine->finishAll();
  EXPECT_EQ(prefetch(21 * kPage, kPage, 9), Announced::Accepted);
  EXPECT_FALSE(hasPage(20));
}

TEST_F(Prefetching, OfMoreThanTheCacheHoldsTakesTheBeginningAndCountsTheRest) {
  EXPECT_EQ(prefetch(100, 2 * kFrames * kPage), Announced::Accepted);
  EXPECT_EQ(engine->submitted(), kFrames);
  EXPECT_EQ(stats().refusedBytes, kFrames * kPage + 100);
  engine->finishAll();
  EXPECT_EQ(outcomeOf(100, kFrames * kPage - 100), Outcome::Hit);
  EXPECT_EQ(prefetch(40 * kPage, ~std::uint64_t{0}, 2), Announced::Full);
}

TEST_F(Prefetching, CountsWhatIsPushedOutUnreadAsUseless) {
  bringAll();
  read(0, kSector);
  cache->retire(1);
  prefetch(20 * kPage, kPage, 9);
  EXPECT_EQ(stats().usefulBytes, kSector);
  EXPECT_EQ(stats().uselessBytes, kPage - kSector);
}

TEST_F(Prefetching, IsFullWhenAnnouncementsWouldGrowWithoutBound) {
  Sequence use = 1;
  while (prefetch(use % kSector, 1, use) == Announced::Accepted && use < 1'000'000)
    ++use;
  EXPECT_LT(use, 100'000U);
  cache->retire(use - 1);
  EXPECT_EQ(prefetch(0, 1, use), Announced::Accepted);
}

TEST_F(Prefetching, LeavesNothingBehindWhenItFails) {
  prefetch(0, kFrames * kPage, 1);
  for (std::uint64_t page = 0; page < kFrames; ++page)
    engine->fail(page * kPage);
  EXPECT_EQ(prefetch(20 * kPage, kFrames * kPage, 2), Announced::Accepted);
  EXPECT_EQ(stats().failedFetches, kFrames);
  EXPECT_EQ(stats().fetchedBytes, 0U);
}

TEST_F(Prefetching, RetiredInAnyOrderOfAnnouncementIsForgotten) {
  bring(0, kPage, 7);
  bring(kPage, kPage, 3);
  bring(2 * kPage, kPage, 5);
  cache->retire(5);
  EXPECT_EQ(prefetch(20 * kPage, 7 * kPage, 8), Announced::Accepted);
  EXPECT_TRUE(hasPage(0));
  EXPECT_FALSE(hasPage(1));
  EXPECT_FALSE(hasPage(2));
}

} // namespace

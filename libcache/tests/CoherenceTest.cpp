// SPDX-License-Identifier: Apache-2.0
// Writes, epochs, volatile ranges, atomic mode, fills: stale bytes are never served.
#include "CacheFixture.h"

using namespace forerun;

namespace {

class Coherence : public CacheFixture {
protected:
  /// The program writes: the storage has the new bytes, then the cache is told.
  void writeThrough(std::uint64_t offset, std::size_t length, unsigned generation = 1) {
    write(offset, length, generation);
    cache->invalidate(*file, offset, length);
  }
  /// The same, and the cache is also told the bytes.
  void update(std::uint64_t offset, std::size_t length, unsigned generation = 1) {
    write(offset, length, generation);
    cache->update(*file, offset, bytesOf(offset, length, generation).data(), length);
  }
  /// True if the last read, from \p offset on, returned what the storage has.
  bool broughtWhatTheStorageHas(std::uint64_t offset) const {
    return std::equal(buffer.begin(), buffer.end(),
                      engine->content.begin() + static_cast<std::ptrdiff_t>(offset));
  }
};

TEST_F(Coherence, AWriteTakesOutThePresentBytesAndNoOthers) {
  bring(0, 2 * kPage);
  writeThrough(kSector + 5, 10);
  EXPECT_FALSE(covered(kSector, kSector));
  EXPECT_TRUE(covered(0, kSector));
  EXPECT_TRUE(covered(2 * kSector, 2 * kPage - 2 * kSector));
  EXPECT_EQ(stats().uselessBytes, kSector);
}

TEST_F(Coherence, AnUpdateRenewsWhatIsPresent) {
  bring(0, 2 * kPage);
  update(kSector + 5, 10);
  update(kPage - 100, 200 + kSector, 2);
  EXPECT_EQ(outcomeOf(0, 2 * kPage), Outcome::Hit);
  EXPECT_TRUE(broughtWhatTheStorageHas(0));
  EXPECT_EQ(stats().uselessBytes, 0U);
}

TEST_F(Coherence, AnUpdateTakesInNothingNew) {
  bring(0, kSector);
  update(0, 2 * kSector);
  update(2 * kPage, kPage);
  EXPECT_EQ(outcomeOf(0, kSector), Outcome::Hit);
  EXPECT_TRUE(broughtWhatTheStorageHas(0));
  EXPECT_FALSE(covered(kSector, 1));
  EXPECT_FALSE(covered(2 * kPage, 1));
}

TEST_F(Coherence, AnUpdateCorrectsWhatIsOnItsWay) {
  prefetch(0, 2 * kPage);
  engine->readAt(0); // of page 0 before the update, of page 1 after it
  update(kPage - 100, 200);
  update(kPage - 50, 100, 2);
  engine->deliver(0);
  engine->finishAll();
  EXPECT_EQ(outcomeOf(0, 2 * kPage), Outcome::Hit);
  EXPECT_TRUE(broughtWhatTheStorageHas(0));
  EXPECT_EQ(stats().staleFetches, 0U);
}

TEST_F(Coherence, AReaderThatWaitsWhileItsPageIsUpdatedGetsTheNewBytes) {
  bring(0, kSector);
  prefetch(kSector, kSector);
  auto result = readAside(0, 2 * kSector); // pins the page, and copies nothing yet
  engine->waitForRaised(1);
  update(kSector - 10, 20);
  engine->finishAll();
  EXPECT_EQ(result.get().outcome, Outcome::Late);
  EXPECT_TRUE(broughtWhatTheStorageHas(0));
  EXPECT_EQ(stats().staleFetches, 0U);
}

TEST_F(Coherence, WhatIsUpdatedTooOftenOnItsWayIsDropped) {
  prefetch(0, kPage);
  engine->readAt(0);
  for (unsigned n = 0; n < 100; ++n)
    update(10 * n, 10);
  engine->deliver(0);
  EXPECT_FALSE(covered(0, kPage));
}

TEST_F(Coherence, AnUpdateAfterTheEndMovesIt) {
  const std::uint64_t end = kPage + 100;
  engine->content.resize(end);
  bring(kPage, kPage);
  EXPECT_EQ(read(kPage, kPage).bytes, 100U);
  update(end, 50);
  EXPECT_EQ(outcomeOf(kPage, 150), Outcome::Miss);
  bring(kPage, kPage, 2);
  EXPECT_EQ(read(kPage, kPage).bytes, 150U);
}

TEST_F(Coherence, AnUpdateOfWhatAnotherWriteChangesTakesItOut) {
  bring(0, kPage);
  cache->setVolatile(*file, this, 5, 10);
  update(0, kSector);
  cache->newEpoch(*file, nullptr);
  EXPECT_FALSE(covered(0, 1));
}

TEST_F(Coherence, AFetchReadBeforeAWriteIsNotTrusted) {
  prefetch(0, kPage);
  engine->readAt(0);
  writeThrough(100, 10);
  engine->deliver(0);
  EXPECT_FALSE(covered(0, kPage));
  EXPECT_EQ(outcomeOf(0, kPage), Outcome::Miss);
  EXPECT_EQ(stats().staleFetches, 1U);
  EXPECT_EQ(stats().uselessBytes, kPage);
}

TEST_F(Coherence, AReaderWaitingForAFetchGetsAMissWhenItsBytesAreWritten) {
  prefetch(0, kPage);
  auto result = readAside(0, kPage);
  engine->waitForRaised(1);
  writeThrough(100, 10);
  EXPECT_EQ(result.get().outcome, Outcome::Miss); // and does not wait for what it cannot use
  engine->finishAll();
}

TEST_F(Coherence, BytesFetchedAfterAWriteWinOverThoseUnderWayBefore) {
  prefetch(0, kPage, 1);
  engine->readAt(0);
  writeThrough(0, kPage, 1);
  prefetch(0, kPage, 2);
  engine->readAt(0);
  engine->deliver(0); // the older
  engine->deliver(0);
  EXPECT_EQ(outcomeOf(0, kPage), Outcome::Hit);
  EXPECT_TRUE(brought(0, kPage, 1));
}

TEST_F(Coherence, AnOlderFetchThatArrivesLastChangesNothing) {
  prefetch(0, 2 * kSector, 1);
  engine->readAt(0);
  writeThrough(kSector, kSector, 1);
  prefetch(kSector, kSector, 2);
  engine->finish(kSector);
  engine->deliver(0);
  EXPECT_EQ(outcomeOf(kSector, kSector), Outcome::Hit);
  EXPECT_TRUE(brought(kSector, kSector, 1));
  EXPECT_FALSE(covered(0, kSector));
}

TEST_F(Coherence, BytesFetchedAfterAWriteDoNotLandInAFrameThatAReaderHolds) {
  prefetch(0, kPage, 1);
  const void *held = engine->queued().front().buffer;
  engine->finish(0);
  prefetch(kPage, kPage, 2);
  auto result = readAside(0, 2 * kPage); // holds page 0 while it waits for page 1
  engine->waitForRaised(1);
  writeThrough(0, kPage);
  prefetch(0, kPage, 3);
  EXPECT_NE(engine->queued().back().buffer, held);
  engine->finishAll();
  EXPECT_EQ(result.get().outcome, Outcome::Miss);
  EXPECT_EQ(outcomeOf(0, kPage), Outcome::Hit);
  EXPECT_TRUE(brought(0, kPage, 1));
}

TEST_F(Coherence, AWriteLeavesTheFetchOfOtherPagesAlone) {
  prefetch(0, 2 * kPage);
  writeThrough(kPage, kPage);
  engine->finishAll();
  EXPECT_EQ(outcomeOf(0, kPage), Outcome::Hit);
  EXPECT_EQ(outcomeOf(kPage, kPage), Outcome::Miss);
}

TEST_F(Coherence, AWriteOfNothingTakesOutNothing) {
  bring(0, kPage);
  cache->invalidate(*file, 10, 0);
  EXPECT_TRUE(covered(0, kPage));
}

TEST_F(Coherence, AWriteUpToTheLastPossibleOffsetTakesOutAllBehindIt) {
  bring(0, 2 * kPage);
  cache->invalidate(*file, kPage, ~std::uint64_t{0});
  EXPECT_TRUE(covered(0, kPage));
  EXPECT_FALSE(covered(kPage, kPage));
}

TEST_F(Coherence, ANewEpochTakesOutEverything) {
  bring(0, 2 * kPage);
  write(0, 2 * kPage, 1);
  cache->newEpoch(*file, nullptr);
  EXPECT_EQ(outcomeOf(0, 2 * kPage), Outcome::Miss);
  EXPECT_EQ(stats().uselessBytes, 2 * kPage);
}

TEST_F(Coherence, AFetchUnderWayWhenANewEpochBeginsIsNotTrusted) {
  prefetch(0, kPage);
  engine->readAt(0);
  auto result = readAside(0, kPage);
  write(0, kPage, 1);
  cache->newEpoch(*file, nullptr);
  engine->deliver(0);
  EXPECT_EQ(result.get().outcome, Outcome::Miss);
  EXPECT_FALSE(covered(0, 1));
  EXPECT_EQ(stats().staleFetches, 1U);
}

TEST_F(Coherence, MemoryStaysUnderTheCapWhileStaleFetchesAreUnderWay) {
  prefetch(0, 8 * kPage);
  cache->newEpoch(*file, nullptr);
  EXPECT_EQ(prefetch(0, kPage, 2), Announced::Full);
  engine->finish(0);
  EXPECT_EQ(prefetch(0, kPage, 2), Announced::Accepted);
}

TEST_F(Coherence, AVolatileRangeBypassesTheCacheUntilTheNextEpoch) {
  bring(0, 2 * kPage);
  cache->setVolatile(*file, this, 100, 10);
  EXPECT_EQ(outcomeOf(0, kPage), Outcome::Miss);
  EXPECT_FALSE(covered(100, 1));
  EXPECT_EQ(outcomeOf(kPage, kPage), Outcome::Hit);
  const std::size_t before = engine->submitted();
  EXPECT_EQ(prefetch(0, kPage, 2), Announced::Accepted);
  EXPECT_EQ(engine->submitted(), before);
  fill(0, kPage);
  EXPECT_EQ(outcomeOf(0, kPage), Outcome::Miss);
  cache->newEpoch(*file, this);
  bring(0, kPage, 3);
  EXPECT_EQ(outcomeOf(0, kPage), Outcome::Hit);
}

TEST_F(Coherence, AnEpochLeavesWhatAnotherIsWritingVolatile) {
  const int writer = 0, other = 0;
  cache->setVolatile(*file, &writer, 100, 10);
  cache->setVolatile(*file, &other, 100, 10);
  for (const Writer ended : {Writer{nullptr}, Writer{this}, Writer{&other}}) {
    cache->newEpoch(*file, ended);
    bring(200, kPage - 200); // brings whole sectors
    EXPECT_EQ(outcomeOf(0, kPage), Outcome::Miss);
    EXPECT_EQ(outcomeOf(200, 10), Outcome::Hit);
  }
  cache->newEpoch(*file, &writer);
  EXPECT_FALSE(covered(100, 10)) << "what was fetched beside it is gone, too";
  bring(0, kPage, 2);
  EXPECT_EQ(outcomeOf(0, kPage), Outcome::Hit);
}

TEST_F(Coherence, AFetchUnderWayIntoAVolatileRangeIsNotTrusted) {
  prefetch(0, kPage);
  engine->readAt(0);
  cache->setVolatile(*file, this, 100, 10);
  engine->deliver(0);
  EXPECT_FALSE(covered(kSector, kSector));
}

TEST_F(Coherence, InAtomicModeEveryReadIsAMissAndNothingIsFetched) {
  bring(0, kPage);
  cache->setAtomic(*file, true);
  EXPECT_EQ(outcomeOf(0, kPage), Outcome::Miss);
  const std::size_t before = engine->submitted();
  EXPECT_EQ(prefetch(0, kPage, 2), Announced::Accepted);
  std::vector<char> bytes(10);
  EXPECT_EQ(cache->readThrough(*file, bytes.data(), 0, 10, 3).outcome, Outcome::Miss);
  EXPECT_EQ(engine->submitted(), before);
  fill(0, kPage);
  EXPECT_FALSE(covered(0, 1));
  cache->setAtomic(*file, false);
  EXPECT_EQ(outcomeOf(0, kPage), Outcome::Miss);
  bring(0, kPage, 4);
  EXPECT_EQ(outcomeOf(0, kPage), Outcome::Hit);
}

TEST_F(Coherence, AFillServesLaterReadsOfItsWholeSectors) {
  fill(100, 2 * kPage);
  EXPECT_EQ(outcomeOf(kSector, 2 * kPage - kSector), Outcome::Hit);
  EXPECT_TRUE(brought(kSector, 2 * kPage - kSector));
  EXPECT_FALSE(covered(100, 1));
  EXPECT_FALSE(covered(2 * kPage, 1));
  EXPECT_EQ(stats().usefulBytes + stats().uselessBytes, 0U);
}

TEST_F(Coherence, AFillIsNotTakenWhenTheFileWasWrittenSinceItsTicket) {
  const std::vector<char> old = bytesOf(0, kPage);
  std::uint64_t ticket = cache->ticket(*file);
  writeThrough(100, 10);
  cache->fill(*file, ticket, old.data(), 0, kPage, false);
  EXPECT_FALSE(covered(0, kSector));
  ticket = cache->ticket(*file);
  cache->newEpoch(*file, nullptr);
  cache->fill(*file, ticket, old.data(), 0, kPage, false);
  EXPECT_FALSE(covered(0, kSector));
}

TEST_F(Coherence, AFillLeavesWhatIsThereOrOnItsWayAlone) {
  bring(0, kSector, 1);
  prefetch(kSector, kSector, 2);
  fill(0, kPage, false, 1); // other bytes, to tell them apart
  engine->finishAll();
  EXPECT_EQ(outcomeOf(0, 2 * kSector), Outcome::Hit);
  EXPECT_TRUE(brought(0, 2 * kSector, 0));
  EXPECT_EQ(outcomeOf(2 * kSector, 2 * kSector), Outcome::Hit);
  EXPECT_TRUE(brought(2 * kSector, 2 * kSector, 1));
}

TEST_F(Coherence, AFillNeverPushesOutAnAnnouncedPage) {
  for (Sequence use = 1; use <= 8; ++use)
    bring((use - 1) * kPage, kPage, use);
  fill(20 * kPage, kPage);
  EXPECT_FALSE(covered(20 * kPage, 1));
  cache->retire(1);
  fill(20 * kPage, 3 * kPage);
  EXPECT_TRUE(covered(20 * kPage, kPage));
  EXPECT_FALSE(covered(21 * kPage, 1));
  EXPECT_TRUE(covered(kPage, 7 * kPage));
}

TEST_F(Coherence, AFillPushesOutTheLeastRecentlyReadPage) {
  for (std::uint64_t page = 0; page < 8; ++page)
    fill(page * kPage, kPage);
  read(0, 10);
  fill(20 * kPage, kPage);
  EXPECT_TRUE(covered(0, kPage));
  EXPECT_FALSE(covered(kPage, kPage));
}

} // namespace

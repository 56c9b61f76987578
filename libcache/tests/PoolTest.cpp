// SPDX-License-Identifier: Apache-2.0
#include "PoolFixture.h"

#include "base/Timeout.h"

#include <chrono>

#include <algorithm>
#include <gtest/gtest.h>

namespace forerun {
namespace {

class PoolTest : public PoolFixture {
protected:
  /// One announces and fetches until nothing more is accepted, then two. Returns the page that each
  /// was refused.
  std::pair<std::uint64_t, std::uint64_t> announceUntilFull() {
    std::uint64_t pages = 0;
    while (one.prefetch(pages * kPage, kPage, pages + 1) == Announced::Accepted)
      ++pages;
    one.engine->finishAll();
    std::uint64_t page = 40;
    while (two.prefetch(page * kPage, kPage, page) == Announced::Accepted)
      ++page;
    return {pages, page};
  }
};

TEST_F(PoolTest, WhatOneHasFetchedTheOthersRead) {
  one.bring(0, kPage);
  for (Rank &rank : ranks) {
    EXPECT_EQ(rank.read(100, 5000).outcome, Outcome::Hit);
    EXPECT_TRUE(rank.brought(100, 5000));
  }
  EXPECT_EQ(fetches(), 1U);
  EXPECT_EQ(one.elsewhere(), 0U);
  EXPECT_EQ(two.elsewhere(), 1U);
  EXPECT_EQ(two.cache->stats().hits, 1U);
}

TEST_F(PoolTest, WhatAllAnnounceIsFetchedOnce) {
  for (Rank &rank : ranks)
    EXPECT_EQ(rank.prefetch(0, 3 * kPage), Announced::Accepted);
  EXPECT_EQ(fetches(), 3U);
  EXPECT_TRUE(two.cache->covered(*two.file, 0, 3 * kPage));
  one.engine->finishAll();
  for (Rank &rank : ranks)
    for (std::uint64_t page = 0; page < 3; ++page)
      EXPECT_EQ(rank.read(page * kPage, kPage).outcome, Outcome::Hit);
  EXPECT_EQ(fetches(), 3U);
}

TEST_F(PoolTest, WhoeverNeedsWhatAnotherFetchesWaitsForThat) {
  one.prefetch(0, kPage);
  auto reading = two.readAside(0, kPage);
  one.engine->finishAll();
  const Outcome outcome = reading.get().outcome;
  EXPECT_TRUE(outcome == Outcome::Late || outcome == Outcome::Hit);
  EXPECT_TRUE(two.brought(0, kPage));
  EXPECT_EQ(fetches(), 1U);
}

TEST_F(PoolTest, AFetchOfAnotherThatFailsIsAMiss) {
  one.prefetch(0, kPage);
  auto reading = two.readAside(0, kPage);
  one.engine->fail(0);
  EXPECT_EQ(reading.get().outcome, Outcome::Miss);
}

TEST_F(PoolTest, AReadThatLiesInPagesOfSeveralIsServed) {
  one.bring(0, kPage);
  two.bring(kPage, kPage);
  three.bring(2 * kPage, kPage);
  for (Rank &rank : ranks) {
    EXPECT_EQ(rank.read(1000, 2 * kPage).outcome, Outcome::Hit);
    EXPECT_TRUE(rank.brought(1000, 2 * kPage));
  }
  EXPECT_EQ(fetches(), 3U);
}

TEST_F(PoolTest, WhatNobodyHasOfAPageIsFetched) {
  one.bring(0, kSector);
  two.bring(2 * kSector, kSector);
  EXPECT_EQ(three.read(2 * kSector, 10).outcome, Outcome::Hit);
  EXPECT_EQ(three.read(0, 10).outcome, Outcome::Hit);
  EXPECT_EQ(three.read(3 * kSector, 10).outcome, Outcome::Miss);
  EXPECT_EQ(fetches(), 2U);
}

TEST_F(PoolTest, OfAPageOnlyTheSectorsThatNobodyHasAreFetched) {
  one.bring(0, 2 * kSector);
  two.bring(3 * kSector, kSector);
  three.bring(0, kPage);
  EXPECT_EQ(fetches(), 3U);
  EXPECT_EQ(three.cache->stats().fetchedBytes, kSector);
  EXPECT_TRUE(three.cache->covered(*three.file, 0, kPage));
  for (Rank &rank : ranks) {
    EXPECT_EQ(rank.read(100, kPage - 200).outcome, Outcome::Hit);
    EXPECT_TRUE(rank.brought(100, kPage - 200));
  }
  EXPECT_EQ(fetches(), 3U);
}

TEST_F(PoolTest, APageThatIsWantedInPiecesNeedsOneFrame) {
  one.bring(0, kSector);
  two.bring(kSector, kSector);
  three.bring(2 * kSector, 2 * kSector);
  EXPECT_EQ(framesHeld(), 1U);
  for (Rank &rank : ranks) {
    EXPECT_EQ(rank.read(100, kPage - 200).outcome, Outcome::Hit);
    EXPECT_TRUE(rank.brought(100, kPage - 200));
  }
  EXPECT_EQ(fetches(), 3U);
}

TEST_F(PoolTest, AFrameIsNotUsedAgainBeforeItsGuestsAreDone) {
  one.bring(0, kSector);
  two.prefetch(kSector, kSector);
  two.engine->readAt(kSector);
  one.cache->newEpoch(*one.file, nullptr); // nothing is in it any more
  one.bring(4 * kPage, kFrames * kPage);
  two.engine->deliver(kSector);
  for (std::uint64_t page = 4; page < 4 + kFrames; ++page) {
    EXPECT_NE(one.read(page * kPage, kPage).outcome, Outcome::Late);
    EXPECT_TRUE(one.buffer[0] == '?' || one.brought(page * kPage, kPage));
  }
  EXPECT_EQ(two.read(kSector, kSector).outcome, Outcome::Miss) << "nobody finds it there";
}

TEST_F(PoolTest, WhatAGuestHasBroughtIsAsOldAsTheFrame) {
  one.bring(0, kSector);
  two.bring(kSector, 2 * kSector);
  store(0, kPage, 1);
  one.cache->invalidate(*one.file, 2 * kSector, kSector);
  EXPECT_EQ(one.read(kSector, 10).outcome, Outcome::Miss) << "from before its own write";
  one.bring(kSector, 2 * kSector);
  EXPECT_EQ(one.read(kSector, 2 * kSector).outcome, Outcome::Hit);
  EXPECT_TRUE(one.brought(kSector, 2 * kSector, 1));
  EXPECT_NE(three.read(kSector, 2 * kSector).outcome, Outcome::Late) << "has not synchronised";
  two.cache->newEpoch(*two.file, nullptr);
  two.bring(kSector, kSector);
  EXPECT_EQ(two.read(kSector, kSector).outcome, Outcome::Hit);
  EXPECT_TRUE(two.brought(kSector, kSector, 1));
}

TEST_F(PoolTest, AGuestsFetchThatFailsIsAMissAndMayBeMadeAgain) {
  one.bring(0, kSector);
  two.prefetch(kSector, kSector);
  auto reading = three.readAside(kSector, kSector);
  two.engine->fail(kSector);
  EXPECT_EQ(reading.get().outcome, Outcome::Miss);
  three.bring(kSector, kSector);
  EXPECT_EQ(two.read(kSector, kSector).outcome, Outcome::Hit);
  EXPECT_EQ(framesHeld(), 1U);
}

TEST_F(PoolTest, AReadInAdvanceFetchesWhatNobodyHas) {
  one.bring(kSector, kSector);
  std::vector<char> bytes(2 * kPage);
  auto reading = std::async(std::launch::async, [&] {
    return two.cache->readThrough(*two.file, bytes.data(), 0, bytes.size(), 1);
  });
  while (reading.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready)
    two.engine->finishAll();
  EXPECT_EQ(reading.get().bytes, bytes.size());
  EXPECT_EQ(bytes, bytesOf(0, bytes.size()));
  EXPECT_EQ(two.cache->stats().fetchedBytes, 2 * kPage - kSector);
}

TEST_F(PoolTest, WhatAnotherWaitsForIsHastened) {
  one.prefetch(0, 3 * kPage);
  auto reading = two.readAside(2 * kPage, kPage);
  waitForWaiter();
  EXPECT_EQ(one.engine->raised(), 0U);
  one.engine->finish(0); // now it has room for another
  EXPECT_EQ(one.engine->raised(), 1U);
  EXPECT_EQ(one.engine->queued().back().kind, FetchKind::Demand);
  one.engine->finish(kPage);
  EXPECT_EQ(one.engine->raised(), 1U);
  one.engine->finishAll();
  EXPECT_EQ(reading.get().outcome, Outcome::Late);
}

// ---- trust ----

TEST_F(PoolTest, WhatOthersAskedForBeforeOnesOwnEpochIsNotServed) {
  one.bring(0, kPage);
  store(0, kPage, 1); // another process writes, and has it synchronised; then
  two.cache->newEpoch(*two.file, nullptr);
  EXPECT_EQ(two.read(0, kPage).outcome, Outcome::Miss);
  two.bring(0, kPage);
  EXPECT_EQ(two.read(0, kPage).outcome, Outcome::Hit);
  EXPECT_TRUE(two.brought(0, kPage, 1));
  EXPECT_EQ(three.read(0, kPage).outcome, Outcome::Hit) << "has no new epoch: the old or the new";
}

TEST_F(PoolTest, WhatOthersAskForAfterwardsIsServed) {
  store(0, kPage, 1);
  two.cache->newEpoch(*two.file, nullptr);
  one.bring(0, kPage);
  EXPECT_EQ(two.read(0, kPage).outcome, Outcome::Hit);
  EXPECT_TRUE(two.brought(0, kPage, 1));
}

TEST_F(PoolTest, OnesOwnWritesAreSeen) {
  one.bring(0, 2 * kPage);
  store(100, 1000, 1);
  two.cache->invalidate(*two.file, 100, 1000);
  EXPECT_EQ(two.read(0, kPage).outcome, Outcome::Miss);
  EXPECT_EQ(one.read(0, kPage).outcome, Outcome::Hit);
  two.bring(0, kPage);
  EXPECT_EQ(two.read(100, 1000).outcome, Outcome::Hit);
  EXPECT_TRUE(two.brought(100, 1000, 1));
}

TEST_F(PoolTest, WhatIsBeingWrittenAndAtomicModeBypassAllFrames) {
  one.bring(0, 2 * kPage);
  two.cache->setVolatile(*two.file, &two, 0, 10);
  EXPECT_EQ(two.read(0, 10).outcome, Outcome::Miss);
  three.cache->setAtomic(*three.file, true);
  EXPECT_EQ(three.read(kPage, 10).outcome, Outcome::Miss);
  EXPECT_EQ(fetches(), 2U);
}

TEST_F(PoolTest, WhatAHolderHasWrittenIsNotReadByOthersAnyMore) {
  one.bring(0, kPage);
  store(0, 10, 1);
  one.cache->invalidate(*one.file, 0, 10);
  EXPECT_EQ(two.read(0, 10).outcome, Outcome::Miss);
  EXPECT_EQ(two.read(kSector, 10).outcome, Outcome::Hit)
      << "the sectors beside it are as they were";
  one.cache->newEpoch(*one.file, nullptr);
  EXPECT_EQ(two.read(kSector, 10).outcome, Outcome::Miss);
}

TEST_F(PoolTest, WhatAMissedReadBroughtIsOnesOwn) {
  const std::vector<char> bytes = bytesOf(0, kPage);
  one.cache->fill(*one.file, one.cache->ticket(*one.file), bytes.data(), 0, kPage, false);
  EXPECT_EQ(one.read(0, kPage).outcome, Outcome::Hit);
  EXPECT_EQ(two.read(0, kPage).outcome, Outcome::Miss) << "nobody knows when it was asked for";
}

TEST_F(PoolTest, TheSectorThatTheEndCutsIsOnesOwn) {
  for (Rank &rank : ranks)
    rank.engine->content.resize(kPage - 100);
  one.bring(0, kPage);
  EXPECT_EQ(one.read(0, kPage).bytes, kPage - 100);
  EXPECT_EQ(two.read(0, kSector).outcome, Outcome::Hit);
  EXPECT_EQ(two.read(kPage - 200, 50).outcome, Outcome::Miss);
  two.bring(kPage - 200, 100);
  EXPECT_EQ(two.read(kPage - 200, 200).bytes, 100U);
}

TEST_F(PoolTest, AnotherFileIsAnother) {
  one.bring(0, kPage);
  const Descriptor other;
  forerun_rc rc = FORERUN_OK;
  CachedFile *file = two.cache->open(other.source(), rc);
  std::vector<char> bytes(100);
  EXPECT_EQ(two.cache->read(*file, bytes.data(), 0, bytes.size()).outcome, Outcome::Miss);
  two.cache->close(file);
}

// ---- one budget ----

TEST_F(PoolTest, OneMayFillTheFramesThatOthersDoNotUse) {
  constexpr std::uint64_t kFloors = 2 * (kFrames / 4);
  constexpr std::uint64_t kMax = 3 * kFrames - kFloors;
  for (std::uint64_t page = 0; page < kMax; ++page)
    one.bring(page * kPage, kPage, page + 1);
  for (std::uint64_t page = 0; page < kMax; ++page)
    EXPECT_EQ(two.read(page * kPage, kPage).outcome, Outcome::Hit) << page;
  EXPECT_EQ(one.prefetch(kMax * kPage, kPage, kMax + 1), Announced::Full);
  for (std::uint64_t page = 0; page < kFrames / 4; ++page)
    two.bring((40 + page) * kPage, kPage, page + 1);
  EXPECT_EQ(two.prefetch(50 * kPage, kPage, 50), Announced::Full) << "nothing is left but a floor";
  EXPECT_EQ(one.prefetch(0, kPage, kMax + 1), Announced::Accepted) << "is there";
  EXPECT_EQ(one.prefetch(60 * kPage, kPage, kMax + 2), Announced::Full);
  EXPECT_EQ(two.prefetch(50 * kPage, kPage, 50), Announced::Full) << "all of it is announced";
  one.cache->retire(2); // page 0 has been announced again
  EXPECT_EQ(one.prefetch(60 * kPage, kPage, kMax + 2), Announced::Full) << "it pays back first";
  EXPECT_EQ(two.prefetch(50 * kPage, kPage, 50), Announced::Accepted);
}

TEST_F(PoolTest, WhatOneLacksForLongIsGivenBackAlthoughItIsAnnounced) {
  auto [pages, page] = announceUntilFull();
  EXPECT_EQ(one.prefetch(pages * kPage, kPage, pages + 1), Announced::Full);
  EXPECT_EQ(two.prefetch(page * kPage, kPage, page), Announced::Full);
  std::this_thread::sleep_for(std::chrono::nanoseconds(Timeout::kNs));
  EXPECT_EQ(one.prefetch(pages * kPage, kPage, pages + 1), Announced::Full);
  EXPECT_EQ(two.prefetch(page * kPage, kPage, page), Announced::Accepted);
}

TEST_F(PoolTest, WhatAnotherHasAnnouncedIsKeptForIt) {
  for (std::uint64_t page = 0; page < kFrames / 4; ++page) {
    one.bring(page * kPage, kPage, page + 1);
    two.prefetch(page * kPage, kPage, 100 + page);
  }
  one.cache->retire(kFrames / 4); // it has read them; the other has not
  std::uint64_t page = 20;
  while (one.prefetch(page * kPage, kPage, page) == Announced::Accepted && page < 60) {
    one.engine->finishAll();
    one.cache->retire(page++);
  }
  for (std::uint64_t read = 0; read < kFrames / 4; ++read)
    EXPECT_EQ(two.read(read * kPage, kPage).outcome, Outcome::Hit) << read;
}

TEST_F(PoolTest, WhatWasLackedLongAgoDoesNotCount) {
  for (std::uint64_t page = 0; page <= kFrames / 4; ++page)
    three.bring((20 + page) * kPage, kPage, page + 1); // one more than its floor
  auto [pages, page] = announceUntilFull();
  const auto ask = [&] { return one.prefetch(60 * kPage, kPage, 100); };
  EXPECT_EQ(ask(), Announced::Full)
      << "the second lacks frames, and the first begins to be patient";
  three.cache->close(std::exchange(three.file, nullptr));
  EXPECT_EQ(two.prefetch(page * kPage, kPage, page), Announced::Accepted);
  ++page;
  EXPECT_EQ(ask(), Announced::Full) << "nobody lacks any";
  std::this_thread::sleep_for(std::chrono::nanoseconds(Timeout::kNs));
  EXPECT_EQ(two.prefetch(page * kPage, kPage, page), Announced::Full);
  EXPECT_EQ(ask(), Announced::Full);
  EXPECT_EQ(two.prefetch(page * kPage, kPage, page), Announced::Full)
      << "it was lacking for a moment";
}

/// One has read all that fits, and the other has announced it: nothing else can be evicted.
TEST_F(PoolTest, AnothersAnnouncedPagesAreEvictedForAReaderOrWhenOld) {
  std::uint64_t pages = 0;
  for (; one.prefetch(pages * kPage, kPage, pages + 1) == Announced::Accepted; ++pages)
    two.prefetch(pages * kPage, kPage, 100 + pages);
  one.engine->finishAll();
  one.cache->retire(pages);
  const std::uint64_t next = pages * kPage;
  EXPECT_EQ(one.prefetch(next, kPage, 200), Announced::Full) << "the other comes first";
  EXPECT_EQ(two.read(0, kPage).outcome, Outcome::Hit);
  two.cache->retire(100);
  EXPECT_EQ(one.prefetch(next, kPage, 200), Announced::Accepted) << "in the frame of page 0";
  EXPECT_EQ(one.prefetch(next + kPage, kPage, 201), Announced::Full);
  std::vector<char> bytes(kPage);
  auto reading = std::async(std::launch::async, [&] {
    return one.cache->readThrough(*one.file, bytes.data(), next + 2 * kPage, kPage, 202);
  });
  while (reading.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready)
    one.engine->finishAll();
  EXPECT_EQ(reading.get().bytes, kPage) << "a reader does not wait for others";
  one.cache->retire(202);
  EXPECT_EQ(one.prefetch(next + kPage, kPage, 203), Announced::Accepted) << "in that frame";
  EXPECT_EQ(one.prefetch(next + 3 * kPage, kPage, 204), Announced::Full);
  std::this_thread::sleep_for(std::chrono::nanoseconds(Timeout::kNs));
  EXPECT_EQ(one.prefetch(next + 3 * kPage, kPage, 204), Announced::Accepted);
}

TEST_F(PoolTest, AClosedFilesFramesAreForAll) {
  for (std::uint64_t page = 0; page < 3 * kFrames / 2; ++page)
    one.bring(page * kPage, kPage, page + 1);
  one.cache->close(std::exchange(one.file, nullptr));
  EXPECT_EQ(two.read(0, kPage).outcome, Outcome::Miss);
  for (std::uint64_t page = 0; page < 3 * kFrames / 2; ++page)
    EXPECT_EQ(two.prefetch(page * kPage, kPage, page + 1), Announced::Accepted) << page;
}

TEST_F(PoolTest, WhatOnlyOthersHaveReadOfWhatWasFetchedAheadIsUseful) {
  one.bring(0, kPage);
  EXPECT_EQ(two.read(0, kPage).outcome, Outcome::Hit);
  one.cache->newEpoch(*one.file, nullptr);
  EXPECT_EQ(one.cache->stats().usefulBytes, kPage);
  EXPECT_EQ(one.cache->stats().uselessBytes, 0U);
}

} // namespace
} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#include "CourierFixture.h"

#include <gmock/gmock.h>

namespace forerun {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST_F(CourierTest, AnnouncementsReachTheCacheInProgramOrder) {
  const File file = open();
  prefetch(file, {kRead, 0}, 0, 10);
  prefetch(file, {kRead, 1}, 100, 20);
  turn();
  EXPECT_THAT(cache.told(), ElementsAre(FakeCache::Told{file.cached, 0, 10, 1},
                                        FakeCache::Told{file.cached, 100, 20, 2}));
  EXPECT_EQ(courier.counters().announced, 2U);
  EXPECT_EQ(courier.counters().announcedBytes, 30U);
  close(file);
}

TEST_F(CourierTest, FetchesOfATurnLeaveTogether) {
  const File file = open();
  prefetch(file, {kRead, 0}, 0, 10);
  prefetch(file, {kRead, 1}, 100, 20);
  turn();
  EXPECT_EQ(cache.told().size(), 2U);
  EXPECT_EQ(cache.toldAlone(), 0U);
  EXPECT_FALSE(cache.gathering());
  close(file);
}

TEST_F(CourierTest, RangesOfOneCallShareItsSequence) {
  const File file = open();
  Record first = record(RecordKind::Prefetch, file, {kRead, 0}, 0, 10);
  first.last = false;
  pre.push(first);
  prefetch(file, {kRead, 0}, 50, 10);
  prefetch(file, {kRead, 1}, 100, 10);
  turn();
  EXPECT_THAT(cache.told(), ElementsAre(FakeCache::Told{file.cached, 0, 10, 1},
                                        FakeCache::Told{file.cached, 50, 10, 1},
                                        FakeCache::Told{file.cached, 100, 10, 2}));
  close(file);
}

TEST_F(CourierTest, WhatHangsOnAWrongPredictionIsWithdrawnWhereverItIs) {
  const File file = open();
  sync(file, {kSync, 0});
  const File other = open();
  pre.predict(1);
  prefetch(other, {kRead, 0}, 0, 10);
  pre.predict(2);
  prefetch(other, {kRead, 1}, 10, 10);
  prefetch(file, {kOtherRead, 0}, 77, 10); // after the synchronisation
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0, 10));
  prefetch(other, {kRead, 2}, 20, 10); // still in the stream
  pre.predict(0);
  pre.withdraw({2, 2});
  prefetch(other, {kRead, 1}, 15, 10); // anew
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0, 10, 15));
  ASSERT_EQ(cache.withdrawn.size(), 1U);
  EXPECT_EQ(cache.withdrawn[0], std::pair(Sequence{3}, Sequence{4}));
  EXPECT_EQ(cache.told().back().sequence, 3U);
  EXPECT_EQ(courier.counters().withdrawn, 3U);
  progress.pass(kSync);
  turn();
  EXPECT_EQ(cache.told().size(), 3U);
  close(file);
  close(other);
}

TEST_F(CourierTest, WrongPredictionsHoldNobodyUp) {
  const File file = open();
  distance.set(4, kMiB);
  pre.predict(1);
  for (std::uint64_t n = 0; n < 10; ++n)
    prefetch(file, {kOtherRead, n}, n, 1); // calls that never come
  turn();
  EXPECT_EQ(cache.told().size(), 4U);
  pre.predict(0);
  pre.withdraw({1, 1});
  prefetch(file, {kRead, 0}, 100, 1);
  turn();
  EXPECT_EQ(cache.offsets().back(), 100U);
  close(file);
}

TEST_F(CourierTest, PrefetchOverlappingADirtyRangeWaitsForItsWrite) {
  const File file = open();
  write(file, {kWrite, 0}, 100, 50);
  prefetch(file, {kRead, 0}, 140, 20);
  turn();
  EXPECT_THAT(cache.told(), IsEmpty());
  progress.pass(kWrite);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(140));
  EXPECT_EQ(courier.counters().parked, 1U);
  close(file);
}

TEST_F(CourierTest, OnlyTheOverlappingPrefetchWaits) {
  const File file = open(), other = open();
  write(file, {kWrite, 0}, 100, 50);
  prefetch(file, {kRead, 0}, 100, 1);
  prefetch(file, {kRead, 1}, 150, 10);
  prefetch(other, {kRead, 2}, 100, 10);
  prefetch(file, {kRead, 3}, 90, 10);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(150, 100, 90));
  close(file);
  close(other);
}

TEST_F(CourierTest, AWriteThatFollowsInProgramOrderDoesNotHoldAPrefetch) {
  const File file = open();
  write(file, {kWrite, 0}, 0, 100);
  prefetch(file, {kRead, 0}, 0, 10);
  write(file, {kWrite, 1}, 0, 100);
  prefetch(file, {kRead, 1}, 20, 10);
  turn();
  progress.pass(kWrite);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0)) << "the second prefetch waits for the second write";
  progress.pass(kRead);
  progress.pass(kWrite);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0, 20));
  close(file);
}

TEST_F(CourierTest, HandlesOfOneFileShareItsDirtyRanges) {
  const File writer = open();
  const File reader = open(writer.cached);
  write(writer, {kWrite, 0}, 0, 100);
  prefetch(reader, {kRead, 0}, 0, 10);
  turn();
  EXPECT_THAT(cache.told(), IsEmpty());
  progress.pass(kWrite);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0));
  close(writer);
  close(reader);
}

TEST_F(CourierTest, WhatFollowsASyncOfItsFileWaitsForItAndOtherFilesFlow) {
  const File file = open(), other = open();
  prefetch(file, {kRead, 0}, 0, 10);
  sync(file, {kSync, 0});
  write(file, {kWrite, 0}, 1000, 10);
  prefetch(file, {kRead, 1}, 1000, 10);
  prefetch(file, {kRead, 2}, 2000, 10);
  prefetch(other, {kOtherRead, 0}, 5000, 10);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0, 5000));
  progress.pass(kRead);
  progress.pass(kSync);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0, 5000, 2000)) << "the write after the sync counts";
  progress.pass(kWrite);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0, 5000, 2000, 1000));
  EXPECT_EQ(courier.counters().synchronisations, 1U);
  close(file);
  close(other);
}

TEST_F(CourierTest, EachOfSeveralSyncsIsWaitedFor) {
  const File file = open();
  sync(file, {kSync, 0});
  prefetch(file, {kRead, 0}, 0, 10);
  sync(file, {kSync, 1});
  prefetch(file, {kRead, 1}, 10, 10);
  turn();
  progress.pass(kSync);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0));
  progress.pass(kSync);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0, 10));
  close(file);
}

TEST_F(CourierTest, ACallThatTheMainThreadHasPassedIsSkippedAndCounted) {
  const File file = open();
  progress.pass(kRead);
  prefetch(file, {kRead, 0}, 0, 10);
  prefetch(file, {kRead, 1}, 10, 10);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(10));
  EXPECT_EQ(courier.counters().skippedLate, 1U);
  close(file);
}

TEST_F(CourierTest, AParkedPrefetchThatTheMainThreadHasPassedIsSkipped) {
  const File file = open();
  write(file, {kWrite, 0}, 0, 10);
  prefetch(file, {kRead, 0}, 0, 10);
  turn();
  progress.pass(kRead); // the prediction of the write was wrong
  turn();
  EXPECT_THAT(cache.told(), IsEmpty());
  EXPECT_EQ(courier.counters().skippedLate, 1U);
  close(file);
}

TEST_F(CourierTest, WhatTheMainThreadIsReadingIsNotFetchedForTheSameCall) {
  const File file = open();
  file.handle->open->underWay.begin(100, 50);
  prefetch(file, {kRead, 0}, 100, 50);
  turn();
  EXPECT_THAT(cache.told(), IsEmpty());
  EXPECT_EQ(courier.counters().skippedLate, 1U);
  prefetch(file, {kRead, 1}, 100, 50); // the next call reads the same bytes again
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(100));
  close(file);
}

TEST_F(CourierTest, AReadUnderWayThatBringsOnlyAPartOrHasEndedHoldsNothingBack) {
  const File file = open();
  file.handle->open->underWay.begin(100, 50);
  prefetch(file, {kRead, 0}, 99, 50);
  prefetch(file, {kOtherRead, 0}, 101, 50);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(99, 101));
  file.handle->open->underWay.end();
  prefetch(file, {kRead, 0}, 100, 50);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(99, 101, 100));
  close(file);
}

TEST_F(CourierTest, TheLeashInCallsIsNeverExceeded) {
  const File file = open();
  distance.set(4, kMiB);
  for (std::uint64_t n = 0; n < 10; ++n)
    prefetch(file, {kRead, n}, n, 1);
  turn();
  EXPECT_EQ(cache.told().size(), 4U);
  progress.pass(kRead);
  turn();
  EXPECT_EQ(cache.told().size(), 5U);
  close(file);
}

TEST_F(CourierTest, TheLeashInBytesIsNeverExceeded) {
  const File file = open();
  distance.set(100, 10);
  for (std::uint64_t n = 0; n < 10; ++n)
    prefetch(file, {kRead, n}, n * 4, 4);
  turn();
  EXPECT_EQ(courier.counters().announcedBytes, 8U);
  progress.pass(kRead);
  turn();
  EXPECT_EQ(courier.counters().announcedBytes, 12U);
  close(file);
}

TEST_F(CourierTest, ParkedPrefetchesCountAgainstTheLeash) {
  const File file = open();
  distance.set(3, kMiB);
  write(file, {kWrite, 0}, 0, 1);
  for (std::uint64_t n = 0; n < 10; ++n)
    prefetch(file, {kRead, n}, 0, 1);
  turn();
  progress.pass(kWrite);
  turn();
  EXPECT_EQ(cache.told().size(), 3U);
  close(file);
}

TEST_F(CourierTest, WithoutAByteLeashTheCacheIsTheLeash) {
  const File file = open();
  cache.settings.capacityBytes = kMiB;
  prefetch(file, {kRead, 0}, 0, kMiB);
  prefetch(file, {kRead, 1}, kMiB, 1);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0));
  close(file);
}

TEST_F(CourierTest, OfACallLargerThanTheLeashTheFirstPartIsAnnounced) {
  const File file = open();
  distance.set(100, 1000);
  prefetch(file, {kRead, 0}, 0, 5000);
  prefetch(file, {kRead, 1}, 9000, 10);
  turn();
  EXPECT_THAT(cache.told(), ElementsAre(FakeCache::Told{file.cached, 0, 1000, 1}));
  progress.pass(kRead);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0, 9000));
  close(file);
}

TEST_F(CourierTest, AFullCacheIsAskedAgainAfterSomethingRetired) {
  const File file = open();
  prefetch(file, {kRead, 0}, 0, 1);
  turn();
  cache.full = true;
  prefetch(file, {kRead, 1}, 1, 1);
  prefetch(file, {kRead, 2}, 2, 1);
  turn();
  cache.full = false;
  cache.finish(*file.cached, 0, 1, 5'000'000);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0))
      << "what was fetched keeps its page until it is read";
  progress.pass(kRead);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0, 1, 2));
  close(file);
}

TEST_F(CourierTest, AFullCacheThatHoldsNothingAnnouncedIsAskedAgainAfterAFetch) {
  const File file = open();
  cache.full = true;
  prefetch(file, {kRead, 0}, 0, 1);
  turn();
  cache.full = false;
  cache.finish(*file.cached, 77, 1, 5'000'000);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0));
  close(file);
}

TEST_F(CourierTest, PassedCallsRetireWithTheHolesBeforeThem) {
  const File file = open();
  for (std::uint64_t n = 0; n < 4; ++n)
    prefetch(file, {n == 1 ? kOtherRead : kRead, n == 1 ? 0 : n - (n > 1 ? 1 : 0)}, n, 1);
  turn();
  EXPECT_EQ(cache.retired(), 0U);
  progress.pass(kRead);
  turn();
  EXPECT_EQ(cache.retired(), 1U);
  progress.pass(kRead); // the second call was never made
  turn();
  EXPECT_EQ(cache.retired(), 3U);
  close(file);
}

TEST_F(CourierTest, CallsByHandRetireInTheirOrderWhenTheWindowOverflows) {
  const File file = open();
  distance.set(2, kMiB);
  for (std::uint64_t n = 0; n < 5; ++n)
    prefetchByHand(file, n, 1);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(cache.retired(), 3U);
  close(file);
}

TEST_F(CourierTest, ACallByHandThatFindsNoRoomIsDropped) {
  const File file = open();
  distance.set(1, kMiB);
  prefetch(file, {kRead, 0}, 0, 1);
  turn();
  prefetchByHand(file, 100, 1);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0));
  EXPECT_EQ(courier.counters().dropped, 1U);
  close(file);
}

TEST_F(CourierTest, CallsByHandNeedNoPreExecutionThread) {
  Courier::Surroundings around{.wake = wake,
                               .pre = pre,
                               .hand = hand,
                               .handles = handles,
                               .cache = [this] { return &cache; },
                               .progress = [] { return nullptr; },
                               .distance = distance,
                               .say = [](const char *) {},
                               .giveUp = [](const char *) {}};
  Courier alone(around);
  const File file = open();
  prefetchByHand(file, 0, 1);
  hand.push(record(RecordKind::Write, file, CallId{}, 0, 1));
  hand.push(record(RecordKind::Sync, file, CallId{}, 0, 0));
  prefetchByHand(file, 0, 1);
  while (alone.turn()) {
  }
  EXPECT_EQ(cache.told().size(), 2U);
  close(file);
}

TEST_F(CourierTest, RecordsOfAClosedFileAreDropped) {
  const File file = open(), other = open();
  write(file, {kWrite, 0}, 0, 10);
  prefetch(file, {kRead, 0}, 0, 10);
  turn();
  prefetch(file, {kRead, 1}, 100, 10);
  close(file);
  progress.pass(kWrite);
  prefetch(other, {kOtherRead, 0}, 7, 1);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(7));
  close(other);
}

TEST_F(CourierTest, TheDoorAsksTheCacheOnlyOnceSomethingWasAnnounced) {
  const File file = open(), other = open();
  EXPECT_FALSE(file.handle->open->serving.load());
  EXPECT_FALSE(file.handle->open->mustHearOfWrite());
  prefetch(file, {kRead, 0}, 0, 1);
  turn();
  EXPECT_TRUE(file.handle->open->serving.load());
  EXPECT_TRUE(file.handle->open->mustHearOfWrite());
  EXPECT_FALSE(other.handle->open->serving.load());
  close(file);
  close(other);
}

TEST_F(CourierTest, AfterAnUnknownNonBlockingWriteTheWholeFileBypassesTheCache) {
  const File file = open();
  EXPECT_TRUE(file.handle->open->leaveUnknown(*file.handle));
  prefetch(file, {kRead, 0}, 0, 1);
  turn();
  ASSERT_EQ(cache.volatileRanges().size(), 1U);
  EXPECT_EQ(cache.volatileRanges()[0].offset, 0U);
  close(file);
}

// ---- throttle ----

TEST_F(CourierTest, WrongPredictionsHalveTheLeashAndThenStopPrefetchingForGood) {
  const File file = open();
  distance.set(16, kMiB);
  std::uint64_t n = 0;
  for (; n < std::uint64_t{Throttle::kJudgedCalls} * (Throttle::kMaxFailures + 1); ++n) {
    prefetch(file, {kRead, n}, n, 100);
    turn();
    progress.pass(kRead); // and reads something else
    turn();
  }
  EXPECT_EQ(courier.throttle().state(), Throttle::State::Stopped);
  EXPECT_EQ(gaveUp.size(), 1U);
  EXPECT_FALSE(said.empty());
  EXPECT_EQ(distance.calls(), 16U >> Throttle::kMaxFailures) << "of the thread as well";
  const std::size_t told = cache.told().size();
  prefetch(file, {kRead, n}, n, 100);
  turn();
  EXPECT_EQ(cache.told().size(), told);
  EXPECT_FALSE(file.handle->open->serving.load());
  close(file);
}

TEST_F(CourierTest, RightPredictionsNeverStop) {
  const File file = open();
  for (std::uint64_t n = 0; n < std::uint64_t{Throttle::kJudgedCalls} * 10; ++n) {
    prefetch(file, {kRead, n}, n, 100);
    turn();
    courier.recording().noteServed(100);
    progress.pass(kRead);
    turn();
  }
  EXPECT_TRUE(courier.throttle().allows());
  EXPECT_EQ(courier.throttle().leashDivisor(), 1U);
  close(file);
}

class ProbingCourierTest : public CourierTest {
protected:
  // Back to the initial state: nothing is known of the storage.
  ProbingCourierTest() {
    for (unsigned n = 0; n < Throttle::kMaxCallsBetweenProbings; ++n)
      courier.throttle().noteCall();
  }
  static constexpr std::uint64_t kFastNs = 10'000, kSlowNs = 1'000'000;

  /// Announces reads and finishes each fetch as fast as memory, until prefetching is suspended.
  std::uint64_t suspend(const File &file) {
    std::uint64_t n = 0;
    for (; courier.throttle().allows() && n < 100; ++n) {
      prefetch(file, {kRead, n}, n * 100, 100);
      turn();
      cache.finish(*file.cached, n * 100, 100, kFastNs);
      turn();
    }
    return n;
  }
};

TEST_F(ProbingCourierTest, UntilAFetchHasShownLatencyAnnouncementsGoOutOneAtATime) {
  const File file = open();
  for (std::uint64_t n = 0; n < 5; ++n)
    prefetch(file, {kRead, n}, n, 1);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0));
  cache.finish(*file.cached, 0, 1, kFastNs);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0, 1));
  cache.finish(*file.cached, 1, 1, kSlowNs);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0, 1, 2, 3, 4));
  close(file);
}

TEST_F(ProbingCourierTest, OfALongAnnouncementTheFirstPartIsTheProbe) {
  const File file = open();
  prefetch(file, {kRead, 0}, 0, kMiB);
  turn();
  EXPECT_EQ(cache.told().back().length, Throttle::kProbeBytes);
  cache.finish(*file.cached, 0, Throttle::kProbeBytes, kSlowNs);
  turn();
  EXPECT_EQ(cache.told().back().length, kMiB);
  close(file);
}

TEST_F(ProbingCourierTest, AProbeThatIsNeverFetchedHoldsNothingOnceItsCallHasPassed) {
  const File file = open();
  prefetch(file, {kRead, 0}, 0, 1);
  prefetch(file, {kRead, 1}, 1, 1);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0));
  progress.pass(kRead);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre(0, 1));
  close(file);
}

TEST_F(ProbingCourierTest, StorageAsFastAsMemorySuspendsPrefetching) {
  const File file = open();
  EXPECT_EQ(suspend(file), Throttle::kFastProbes);
  EXPECT_FALSE(file.handle->open->serving.load());
  EXPECT_EQ(cache.retired(), Throttle::kFastProbes) << "the cache keeps nothing for them";
  prefetch(file, {kRead, 50}, 5000, 1);
  EXPECT_FALSE(courier.turn()) << "what comes stays in the stream";
  EXPECT_NE(pre.front(), nullptr);
  close(file);
}

TEST_F(ProbingCourierTest, WhatIsInTheSystemsMemoryIsNotFetchedAndSuspendsPrefetching) {
  const File file = open();
  cache.allResident = true;
  for (std::uint64_t n = 0; n < Throttle::kFastProbes; ++n)
    prefetch(file, {kRead, n}, n * 100, 100);
  turn();
  EXPECT_THAT(cache.offsets(), ElementsAre());
  EXPECT_FALSE(courier.throttle().allows());
  EXPECT_EQ(courier.counters().dropped, Throttle::kFastProbes);
  close(file);
}

TEST_F(ProbingCourierTest, LatePrivateReadsFromTheSystemsMemorySuspendPrefetching) {
  const File file = open();
  cache.allResident = true;
  for (std::uint64_t n = 0; n < Throttle::kFastProbes; ++n) {
    EXPECT_TRUE(courier.throttle().allows());
    progress.pass(kRead);
    pre.push(record(RecordKind::Read, file, {kRead, n}, n * 100, 100));
    turn();
  }
  EXPECT_FALSE(courier.throttle().allows());
  EXPECT_EQ(courier.counters().privateReads, Throttle::kFastProbes);
  close(file);
}

TEST_F(ProbingCourierTest, SlowReadsOfTheMainThreadResumeIt) {
  const File file = open();
  const std::uint64_t n = suspend(file);
  prefetch(file, {kRead, n}, 5000, 1);
  for (int reads = 0; reads < 100; ++reads)
    courier.noteMissed(100, kFastNs);
  turn();
  EXPECT_FALSE(courier.throttle().allows());
  for (int reads = 0; reads < 4; ++reads)
    courier.noteMissed(100, kSlowNs);
  turn();
  EXPECT_TRUE(courier.throttle().allows());
  EXPECT_EQ(cache.offsets().back(), 5000U);
  EXPECT_TRUE(file.handle->open->serving.load());
  close(file);
}

TEST_F(ProbingCourierTest, AFewSlowReadsAmongFastOnesAreNoise) {
  const File file = open();
  suspend(file);
  for (int reads = 0; reads < 1000; ++reads)
    courier.noteMissed(100, reads % 8 == 0 ? kSlowNs : kFastNs);
  EXPECT_FALSE(courier.throttle().allows());
  close(file);
}

TEST_F(ProbingCourierTest, WhileSuspendedCallsByHandGoOn) {
  const File file = open();
  suspend(file);
  prefetchByHand(file, 7000, 1);
  turn();
  EXPECT_EQ(cache.offsets().back(), 7000U);
  EXPECT_TRUE(file.handle->open->serving.load());
  close(file);
}

} // namespace
} // namespace forerun

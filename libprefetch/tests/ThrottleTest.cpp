// SPDX-License-Identifier: Apache-2.0
#include "courier/Throttle.h"

#include "FakeCache.h"

#include <gtest/gtest.h>

namespace forerun {
namespace {

constexpr std::uint64_t kPage = 65536, kFastNs = 20'000, kLittleSlowNs = 300'000,
                        kSlowNs = 1'000'000;

class ThrottleTest : public testing::Test {
protected:
  bool fetched(std::uint64_t offset, std::uint64_t ns, forerun_rc rc = FORERUN_OK) {
    return throttle_.fetched({&file_, offset, kPage, 0, 100, 100 + ns, FetchKind::Prefetch, rc});
  }
  void probe(std::uint64_t ns) {
    throttle_.probe(file_, 0, kPage);
    fetched(0, ns);
  }
  void suspend() {
    for (unsigned n = 0; n < Throttle::kFastProbes; ++n)
      probe(kFastNs);
  }
  /// The number of slow reads that makes it resume.
  unsigned resume() {
    unsigned reads = 1;
    while (!throttle_.missed(kPage, kSlowNs))
      ++reads;
    return reads;
  }
  CachedFile file_;
  Throttle throttle_;
};

TEST_F(ThrottleTest, ProbesThatAreALittleSlowMustBeSomeInARowToRun) {
  for (unsigned n = 0; n + 1 < Throttle::kSlowProbes; ++n)
    probe(kLittleSlowNs);
  probe(kFastNs);
  for (unsigned n = 0; n + 1 < Throttle::kSlowProbes; ++n)
    probe(kLittleSlowNs);
  EXPECT_EQ(throttle_.state(), Throttle::State::Probing);
  probe(kLittleSlowNs);
  EXPECT_EQ(throttle_.state(), Throttle::State::Running);
}

TEST_F(ThrottleTest, OneProbeThatIsSlowBeyondDoubtIsEnoughToRun) {
  for (unsigned n = 0; n + 1 < Throttle::kFastProbes; ++n)
    probe(kFastNs);
  EXPECT_EQ(throttle_.state(), Throttle::State::Probing);
  probe(kSlowNs);
  EXPECT_EQ(throttle_.state(), Throttle::State::Running);
}

TEST_F(ThrottleTest, FastProbesInARowSuspend) {
  suspend();
  EXPECT_EQ(throttle_.state(), Throttle::State::Suspended);
  EXPECT_FALSE(throttle_.allows());
}

TEST_F(ThrottleTest, WhatIsResidentCountsAsAFastProbe) {
  for (unsigned n = 0; n + 1 < Throttle::kSlowProbes; ++n)
    probe(kLittleSlowNs);
  throttle_.noteResident();
  probe(kLittleSlowNs);
  EXPECT_EQ(throttle_.state(), Throttle::State::Probing) << "no slow ones in a row";
  for (unsigned n = 0; n < Throttle::kFastProbes; ++n)
    throttle_.noteResident();
  EXPECT_EQ(throttle_.state(), Throttle::State::Suspended);
}

TEST_F(ThrottleTest, OneSlowReadWhileSuspendedIsASuspicionThatFastOnesWearOff) {
  suspend();
  EXPECT_FALSE(throttle_.suspectsLatency());
  EXPECT_FALSE(throttle_.missed(kPage, kLittleSlowNs));
  EXPECT_TRUE(throttle_.suspectsLatency());
  for (int reads = 0; reads < 4; ++reads)
    EXPECT_FALSE(throttle_.missed(kPage, kFastNs));
  EXPECT_FALSE(throttle_.suspectsLatency());
}

TEST_F(ThrottleTest, LatencyIsShownByMissedReadsOrAProbeOrIfNothingIsJudged) {
  EXPECT_FALSE(throttle_.missed(kPage, kSlowNs));
  EXPECT_TRUE(throttle_.suspectsLatency());
  EXPECT_FALSE(throttle_.first().isShown());
  EXPECT_FALSE(throttle_.missed(kPage, kSlowNs)) << "no suspension has ended";
  EXPECT_TRUE(throttle_.first().isShown());
  EXPECT_FALSE(throttle_.suspectsLatency()) << "nothing depends on the next reads";

  Throttle probed;
  probed.probe(file_, 0, kPage);
  probed.fetched({&file_, 0, kPage, 0, 100, 100 + kFastNs, FetchKind::Prefetch, FORERUN_OK});
  EXPECT_FALSE(probed.first().isShown());
  probed.probe(file_, 0, kPage);
  probed.fetched({&file_, 0, kPage, 0, 100, 100 + kSlowNs, FetchKind::Prefetch, FORERUN_OK});
  EXPECT_TRUE(probed.first().isShown());

  Throttle fixed;
  fixed.stayRunning();
  EXPECT_TRUE(fixed.first().isShown());
}

TEST_F(ThrottleTest, OnlyTheProbesFetchIsLookedAt) {
  EXPECT_FALSE(fetched(0, kSlowNs)) << "no probe is out";
  throttle_.probe(file_, 0, kPage);
  EXPECT_FALSE(fetched(kPage, kSlowNs)) << "another range";
  EXPECT_EQ(throttle_.state(), Throttle::State::Probing);
  EXPECT_TRUE(fetched(0, kSlowNs));
}

TEST_F(ThrottleTest, AFailedFetchSaysNothingOfLatency) {
  throttle_.probe(file_, 0, kPage);
  EXPECT_TRUE(fetched(0, kSlowNs, FORERUN_ERR_IO));
  EXPECT_FALSE(throttle_.probeIsOut());
  EXPECT_EQ(throttle_.state(), Throttle::State::Probing);
}

TEST_F(ThrottleTest, ASlowProbeBehindOthersMayHaveWaitedInTheirQueue) {
  throttle_.probe(file_, 0, kPage);
  throttle_.fetched({&file_, 0, kPage, 0, 100, 100 + kSlowNs, FetchKind::Prefetch, FORERUN_OK, 16});
  EXPECT_EQ(throttle_.state(), Throttle::State::Probing);
}

TEST_F(ThrottleTest, RunningProbesAgainSoonAtFirstAndThenNowAndThen) {
  for (const unsigned calls : {32U, 128U, 512U, 512U}) {
    probe(kSlowNs);
    for (unsigned n = 0; n + 1 < calls; ++n)
      throttle_.noteCall();
    EXPECT_EQ(throttle_.state(), Throttle::State::Running);
    throttle_.noteCall();
    EXPECT_EQ(throttle_.state(), Throttle::State::Probing);
  }
}

TEST_F(ThrottleTest, AResumptionThatFindsNothingToHideMakesTheNextOneHarder) {
  suspend();
  const unsigned first = resume();
  suspend();
  EXPECT_GT(resume(), first);
  probe(kSlowNs); // there is something to hide
  for (unsigned n = 0; n < Throttle::kMaxCallsBetweenProbings; ++n)
    throttle_.noteCall();
  suspend();
  EXPECT_EQ(resume(), first);
}

TEST_F(ThrottleTest, ALeashThatWasHalvedGrowsAgainWithRightPredictions) {
  throttle_.noteRetired(Throttle::kJudgedCalls, 1000, 100);
  throttle_.noteRetired(Throttle::kJudgedCalls, 1000, 200);
  EXPECT_EQ(throttle_.leashDivisor(), 4U);
  throttle_.noteRetired(Throttle::kJudgedCalls, 1000, 1200);
  EXPECT_EQ(throttle_.leashDivisor(), 2U);
}

TEST_F(ThrottleTest, FailuresInARowStopForGood) {
  for (unsigned n = 0; n < Throttle::kMaxFailures; ++n)
    throttle_.noteRetired(Throttle::kJudgedCalls, 1000, 0);
  EXPECT_EQ(throttle_.state(), Throttle::State::Stopped);
  probe(kSlowNs);
  EXPECT_FALSE(throttle_.missed(kPage, kSlowNs));
  EXPECT_EQ(throttle_.state(), Throttle::State::Stopped);
}

} // namespace
} // namespace forerun

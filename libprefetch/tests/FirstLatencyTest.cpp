// SPDX-License-Identifier: Apache-2.0
#include "courier/FirstLatency.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <thread>

namespace forerun {
namespace {

constexpr std::uint64_t kMoment = 1'000'000, kVeryLong = 600'000'000'000;

TEST(FirstLatencyTest, FewSlowReadsShowItAndFewerThatAreSlowBeyondDoubt) {
  for (const bool beyondDoubt : {false, true}) {
    FirstLatency latency;
    const unsigned enough =
        beyondDoubt ? FirstLatency::kReadsSlowBeyondDoubt : FirstLatency::kSlowReads;
    for (unsigned n = 0; n < enough; ++n) {
      EXPECT_FALSE(latency.isShown()) << n;
      latency.noteSlowRead(beyondDoubt);
    }
    EXPECT_TRUE(latency.isShown());
    EXPECT_FALSE(latency.isSuspected()) << "it is known";
  }
}

TEST(FirstLatencyTest, OneSlowReadInFiveIsNoise) {
  FirstLatency latency;
  for (unsigned n = 0; n < 100; ++n) {
    latency.noteSlowRead(false);
    EXPECT_TRUE(latency.isSuspected());
    for (unsigned fast = 0; fast < 4; ++fast)
      latency.noteFastRead();
    EXPECT_FALSE(latency.isSuspected());
  }
  EXPECT_FALSE(latency.isShown());
}

TEST(FirstLatencyTest, WhatHasBeenShownStaysShown) {
  FirstLatency latency;
  latency.show();
  for (unsigned n = 0; n < 100; ++n)
    latency.noteFastRead();
  EXPECT_TRUE(latency.awaitFor(kVeryLong));
}

TEST(FirstLatencyTest, AWaitEndsWhenItIsShownOrTheTimeIsOver) {
  FirstLatency latency;
  EXPECT_FALSE(latency.awaitFor(kMoment));
  std::thread reader([&] {
    latency.noteSlowRead(true);
    latency.noteSlowRead(true);
  });
  EXPECT_TRUE(latency.awaitFor(kVeryLong));
  reader.join();
}

} // namespace
} // namespace forerun

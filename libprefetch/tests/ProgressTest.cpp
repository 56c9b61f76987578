// SPDX-License-Identifier: Apache-2.0
#include "channels/Progress.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <thread>

using namespace forerun;

namespace {

/// A handle that is never followed.
MPI_File handle(std::uintptr_t number) {
  return reinterpret_cast<MPI_File>(number * 16 + 16); // NOLINT(performance-no-int-to-ptr)
}

TEST(ProgressTest, EveryOccurrenceOfASiteIsPassedByItself) {
  Progress progress(2);
  EXPECT_FALSE(progress.hasPassed({0, 0}));
  progress.pass(0);
  EXPECT_TRUE(progress.hasPassed({0, 0}));
  EXPECT_FALSE(progress.hasPassed({0, 1}));
  EXPECT_FALSE(progress.hasPassed({1, 0}));
}

TEST(ProgressTest, CallsByHandAndUnknownSitesArePassedAlways) {
  Progress progress(1);
  EXPECT_TRUE(progress.hasPassed({}));
  EXPECT_TRUE(progress.hasPassed({7, 3}));
  progress.pass(7);
  progress.pass(-1, {.file = handle(1)});
}

TEST(ProgressTest, HandlesOfManyOpensAreAllKept) {
  constexpr std::uint64_t kOpens = 10000;
  Progress progress(1);
  std::thread main([&] {
    for (std::uint64_t i = 0; i < kOpens; ++i) {
      if (i % 3 == 0)
        progress.pass(0); // this open failed
      else
        progress.pass(0, {.file = handle(i)});
    }
  });
  for (std::uint64_t i = 0; i < kOpens; ++i) {
    const CallId call{0, i};
    progress.waitUntilPassed(call);
    ASSERT_EQ(progress.opened(call).file, i % 3 == 0 ? MPI_FILE_NULL : handle(i)) << i;
  }
  main.join();
  EXPECT_EQ(progress.opened({0, 1}).file, handle(1)); // also long after
}

TEST(ProgressTest, WhoeverWaitsForACallSleepsUntilItHasBeenPassed) {
  constexpr std::uint64_t kPasses = 10000;
  Progress progress(3);
  std::thread main([&] {
    for (std::uint64_t i = 0; i < kPasses; ++i) {
      progress.pass(static_cast<int>(i % 2));
      progress.pass(2);
    }
  });
  for (std::uint64_t i = 0; i < kPasses / 2; i += 1 + i % 7) {
    const CallId call{static_cast<int>(i % 2), i};
    progress.waitUntilPassed(call);
    ASSERT_TRUE(progress.hasPassed(call));
  }
  main.join();
}

TEST(ProgressTest, PassWakesWhoeverAskedForItToo) {
  Progress progress(1);
  EventCount courier;
  progress.watch(&courier);
  const auto key = courier.prepare();
  std::thread main([&] { progress.pass(0); });
  while (!progress.hasPassed({0, 0}))
    courier.wait(key);
  main.join();
}

TEST(ProgressTest, WhoCanWaitForSeveralPassesIsNotWokenByTheFirst) {
  Progress progress(2);
  EventCount courier;
  progress.watch(&courier, 3);
  const auto key = courier.prepare(); // changes with every notify
  progress.pass(0);
  progress.pass(1);
  EXPECT_EQ(courier.prepare(), key);
  progress.pass(0);
  EXPECT_NE(courier.prepare(), key);
}

} // namespace

// SPDX-License-Identifier: Apache-2.0
#include "thread/Clocks.h"

#include "OnPreThread.h"
#include "forerun/runtime.h"

#include <gtest/gtest.h>
#include <string>
#include <thread>

// Where the pre-execution thread reads the clock itself, and what then happens to what is handed
// over.

using namespace forerun;

namespace {

constexpr int kReadSite = 0, kTimeSite = 1, kClockSites = 2;
int received, asked;

void askTime() {
  if (forerun_pre_asks_time(kTimeSite) != 0) {
    ++asked;
    return;
  }
  long value = -1;
  forerun_pre_receive(kTimeSite, &value, sizeof value);
  EXPECT_EQ(value, received + asked) << "the k-th value is that of the k-th call";
  ++received;
}

class ClocksTest : public testing::Test {
protected:
  ClocksTest() {
    between.forwarding.begin(kClockSites);
    received = asked = 0;
  }
  void send(int count) {
    for (long value = 0; value < count; ++value)
      between.forwarding.send(kTimeSite,
                              {reinterpret_cast<const std::byte *>(&value), sizeof value, 0});
  }
  std::string run(void (*body)(void *)) {
    PreThread thread({body, nullptr, 0}, Options(), between);
    EXPECT_TRUE(thread.start());
    while (!thread.ended()) {
      between.stream.pop();
      std::this_thread::yield();
    }
    thread.stop();
    return thread.why();
  }

  Between between{kClockSites, 64};
};

TEST_F(ClocksTest, BeforeTheLoopThatReadsTheTimeIsTheMainThreads) {
  static constexpr int kTimes = 20;
  send(kTimes);
  EXPECT_EQ(run([](void *) {
              forerun_pre_at(kReadSite);
              for (int n = 0; n < kTimes; ++n)
                askTime();
            }),
            kReturned);
  EXPECT_EQ(received, kTimes);
}

TEST_F(ClocksTest, InALoopThatReadsItIsNotWaitedForAfterAFewTurns) {
  send(2 * static_cast<int>(Clocks::kTurns)); // twice in each iteration; nothing more ever comes
  EXPECT_EQ(run([](void *) {
              for (int n = 0; n < 50; ++n) {
                forerun_pre_at(kReadSite);
                askTime();
                askTime();
              }
            }),
            kReturned);
  EXPECT_EQ(received, 2 * static_cast<int>(Clocks::kTurns));
  EXPECT_EQ(asked, 100 - received);
  EXPECT_EQ(between.forwarding.count(kTimeSite).received, 100U - 2) << "but those of the last turn";
}

TEST_F(ClocksTest, WithoutALeashItWaitsNowAndThen) {
  static constexpr int kMany = 3 * static_cast<int>(Clocks::kTurnsWithoutLeash);
  between.distance.set(0, 0);
  send(kMany);
  EXPECT_EQ(run([](void *) {
              for (int n = 0; n < kMany; ++n) {
                forerun_pre_at(kReadSite);
                askTime();
              }
            }),
            kReturned);
  EXPECT_EQ(received, static_cast<int>(Clocks::kTurns) + 3);
}

TEST_F(ClocksTest, WhatIsSkippedIsNotWaitedFor) {
  send(8);
  EXPECT_EQ(run([](void *) {
              long value = -1;
              forerun_pre_skip(kTimeSite, 2);
              forerun_pre_receive(kTimeSite, &value, sizeof value);
              EXPECT_EQ(value, 2);
              forerun_pre_skip(kTimeSite, 1);
              forerun_pre_skip(kTimeSite, 3);
              forerun_pre_receive(kTimeSite, &value, sizeof value);
              EXPECT_EQ(value, 7);
              forerun_pre_skip(kTimeSite, 100); // they never come
              forerun_pre_skip(-1, 1);
              forerun_pre_skip(kClockSites, 1);
              forerun_pre_at(kReadSite);
            }),
            kReturned);
  EXPECT_EQ(between.forwarding.count(kTimeSite).received, 108U);
}

TEST_F(ClocksTest, AValueThatIsWantedAgainIsTheRightOne) {
  static constexpr int kTurns = 10;
  send(kTurns + 1);
  EXPECT_EQ(run([](void *) {
              for (int n = 0; n < kTurns; ++n) {
                forerun_pre_at(kReadSite);
                askTime();
              }
              long value = 0;
              forerun_pre_receive(kTimeSite, &value, sizeof value);
              EXPECT_EQ(value, kTurns);
            }),
            kReturned);
  EXPECT_GT(asked, 0);
}

} // namespace

// SPDX-License-Identifier: Apache-2.0
#include "base/EventCount.h"

#include <gtest/gtest.h>
#include <thread>

using namespace forerun;

namespace {

TEST(EventCountTest, NotifyBetweenPrepareAndWaitIsNotLost) {
  EventCount event;
  const auto key = event.prepare();
  event.notify();
  event.wait(key); // would sleep for ever
}

TEST(EventCountTest, WaitEndsWithItsTimeout) {
  EventCount event;
  event.wait(event.prepare(), 1'000'000);
}

TEST(EventCountTest, TwoThreadsHandANumberToAndFro) {
  constexpr int kTurns = 20000;
  EventCount event;
  std::atomic<int> turn{0};
  const auto play = [&](int parity) {
    for (int mine = parity; mine < kTurns; mine += 2) {
      while (turn.load() != mine) {
        const auto key = event.prepare();
        if (turn.load() == mine)
          event.cancel();
        else
          event.wait(key);
      }
      turn.store(mine + 1);
      event.notify();
    }
  };
  std::thread other(play, 1);
  play(0);
  other.join();
  EXPECT_EQ(turn.load(), kTurns);
}

} // namespace

// SPDX-License-Identifier: Apache-2.0
#include "thread/Predictions.h"

#include "OnPreThread.h"
#include "forerun/runtime.h"
#include "forerun/standins.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

// A pre-execution thread that continues before its values have come, and is rolled back if they
// differ.

using namespace forerun;

namespace {

constexpr int kRead = 0, kStep = 1, kOther = 2, kAllSites = 3;

/// What the thread may write to besides its stack and its heap.
struct World {
  long place;
  long turns;
  long *kept; ///< in the heap
  std::array<long, 64> last;
} world;

std::atomic<long> turnsToMake;

/// At an arbitrary depth of the stack, with data on it.
[[gnu::noinline]] long stepAt(int depth, int site) {
  std::array<volatile long, 20> here;
  for (volatile long &each : here)
    each = depth;
  long step = 0;
  if (depth > 0)
    step = stepAt(depth - 1, site);
  else
    forerun_pre_receive(site, &step, sizeof step);
  for (const volatile long &each : here)
    if (each != depth)
      std::abort();
  return step;
}

void announce(long place) {
  forerun_pre_at(kRead);
  PreThread *const self = PreThread::predicting();
  Record record;
  record.call = self->current();
  record.offset = static_cast<std::uint64_t>(place);
  self->stream().push(record);
}

void makeTurns(void *) {
  world = {};
  world.kept = static_cast<long *>(forerun_pre_calloc(4, sizeof(long)));
  for (long turn = 0; turn < turnsToMake; ++turn) {
    announce(world.place);
    const long step = stepAt(static_cast<int>(turn % 5), kStep);
    world.place += step;
    world.kept[turn % 4] += step;
    world.last[static_cast<std::size_t>(turn) % world.last.size()] = world.place;
    ++world.turns;
  }
}

class PredictionsTest : public testing::Test {
protected:
  PredictionsTest() { between.forwarding.begin(kAllSites); }
  ~PredictionsTest() override { thread->stop(); }

  void start(void (*pre)(void *)) {
    PreThread::Launch launch{pre, nullptr, 0};
    launch.lent.emplace().push_back(std::as_writable_bytes(std::span(&world, 1)));
    thread = std::make_unique<PreThread>(std::move(launch), Options(), between);
    ASSERT_TRUE(thread->start());
  }
  void send(long value, int site = kStep) {
    EXPECT_EQ(between.forwarding.send(
                  site, {reinterpret_cast<const std::byte *>(&value), sizeof value, 0}),
              nullptr);
  }
  void takeRecords() {
    for (; const Record *record = between.stream.front(); between.stream.pop())
      records.push_back(*record);
  }
  /// What has been announced and has not been withdrawn.
  std::vector<long> announced() {
    takeRecords();
    std::vector<long> result;
    for (const Record &each : records)
      if (!between.stream.withdrawals().has(each.prediction)) {
        EXPECT_EQ(each.call.occurrence, result.size());
        result.push_back(static_cast<long>(each.offset));
      }
    return result;
  }
  /// Waits until that many records have come, withdrawn or not.
  void awaitRecords(std::size_t count) {
    for (takeRecords(); records.size() < count; takeRecords())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::string awaitEnd() {
    while (!thread->ended()) {
      takeRecords();
      std::this_thread::yield();
    }
    return thread->why();
  }
  /// Makes the iterations with these steps, and expects the same result as if the thread had waited
  /// for each.
  void expectTurns(const std::vector<long> &steps) {
    std::vector<long> places{0};
    for (const long each : steps)
      places.push_back(places.back() + each);
    EXPECT_EQ(awaitEnd(), kReturned);
    EXPECT_EQ(world.turns, static_cast<long>(steps.size()));
    EXPECT_EQ(world.place, places.back());
    places.pop_back();
    EXPECT_EQ(announced(), places);
    EXPECT_EQ(between.forwarding.count(kStep).received, steps.size());
    EXPECT_EQ(thread->occurrences(kRead), steps.size());
  }

  Between between{kAllSites, 4096};
  std::unique_ptr<PreThread> thread;
  std::vector<Record> records;
};

TEST_F(PredictionsTest, AValueThatStaysTheSameIsNotWaitedFor) {
  turnsToMake = 100;
  start(makeTurns);
  for (int n = 0; n < 10; ++n)
    send(3);
  awaitRecords(10 + 36); // 9 in a row were right: 36 ahead
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  takeRecords();
  EXPECT_EQ(records.size(), 10U + 36 + 1);
  for (int n = 10; n < 100; ++n)
    send(3);
  expectTurns(std::vector<long>(100, 3));
  EXPECT_GT(thread->predictions().made, 10U);
  EXPECT_EQ(thread->predictions().wrong, 0U);
  EXPECT_EQ(between.stream.withdrawals().count(), 0U);
}

TEST_F(PredictionsTest, WhatAWrongValueLedToCountsAsNotDone) {
  turnsToMake = 30;
  start(makeTurns);
  std::vector<long> steps(10, 2);
  for (const long each : steps)
    send(each);
  awaitRecords(20);
  steps.push_back(7);
  steps.resize(30, 1);
  for (std::size_t n = 10; n < steps.size(); ++n)
    send(steps[n]);
  expectTurns(steps);
  EXPECT_GE(thread->predictions().wrong, 1U);
  EXPECT_GE(between.stream.withdrawals().count(), 1U);
}

TEST_F(PredictionsTest, ValuesThatChangeNowAndThenLeaveNoTrace) {
  constexpr std::size_t kRounds = 20000;
  turnsToMake = kRounds;
  std::srand(1);
  std::vector<long> steps;
  while (steps.size() < kRounds) {
    const auto row = static_cast<std::size_t>(std::rand() % 300);
    steps.insert(steps.end(), std::min(row, kRounds - steps.size()), std::rand() % 9);
  }
  start(makeTurns);
  for (std::size_t n = 0; n < kRounds; ++n) {
    if (n % 64 == 0)
      awaitRecords(n);
    between.progress.pass(kRead);
    send(steps[n]);
  }
  expectTurns(steps);
  EXPECT_GT(thread->predictions().wrong, 0U);
}

TEST_F(PredictionsTest, AFaultThatAWrongValueLeadsToIsNone) {
  turnsToMake = 20;
  start([](void *) {
    world = {};
    for (long turn = 0; turn < turnsToMake; ++turn) {
      const long step = stepAt(0, kStep);
      announce(turn);
      if (turn == 12 && step == 5) {
        long *volatile nowhere = nullptr;
        *nowhere = 1;
      }
      world.place += step;
      ++world.turns;
    }
  });
  for (int n = 0; n < 12; ++n)
    send(5);
  awaitRecords(13);
  std::vector<long> steps(12, 5);
  steps.resize(20, 6);
  for (std::size_t n = 12; n < steps.size(); ++n)
    send(steps[n]);
  EXPECT_EQ(awaitEnd(), kReturned);
  EXPECT_EQ(world.place, 12 * 5 + 8 * 6);
}

TEST_F(PredictionsTest, AFaultThatTheRightValueLeadsToEndsTheThread) {
  start([](void *) {
    for (long turn = 0;; ++turn) {
      stepAt(0, kStep);
      announce(turn);
      if (turn == 12) {
        long *volatile nowhere = nullptr;
        *nowhere = 1;
      }
    }
  });
  for (int n = 0; n < 12; ++n)
    send(5);
  awaitRecords(13);
  EXPECT_FALSE(thread->ended());
  send(5);
  EXPECT_EQ(awaitEnd(), "a segmentation fault (SIGSEGV)");
}

TEST_F(PredictionsTest, WhatCannotBeUndoneWaitsUntilAllIsCertain) {
  static std::atomic<long> allocated;
  allocated = 0;
  start([](void *) {
    for (long turn = 0; turn < 12; ++turn) {
      stepAt(0, kStep);
      announce(turn);
    }
    forerun_pre_free(forerun_pre_malloc(8));
    ++allocated;
  });
  for (int n = 0; n < 8; ++n)
    send(5);
  awaitRecords(12);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(allocated, 0);
  for (int n = 8; n < 12; ++n)
    send(5);
  EXPECT_EQ(awaitEnd(), kReturned);
  EXPECT_EQ(allocated, 1);
}

TEST_F(PredictionsTest, AnotherValueIsReceivedWhenAllIsCertain) {
  start([](void *) {
    for (long turn = 0; turn < 12; ++turn) {
      stepAt(0, kStep);
      announce(turn);
    }
    world.place = stepAt(2, kOther);
  });
  for (int n = 0; n < 8; ++n)
    send(5);
  awaitRecords(12);
  for (int n = 8; n < 12; ++n)
    send(5);
  send(77, kOther);
  EXPECT_EQ(awaitEnd(), kReturned);
  EXPECT_EQ(world.place, 77);
}

TEST_F(PredictionsTest, AThreadThatEndsWithdrawsWhatIsNotCertain) {
  turnsToMake = 1000;
  start(makeTurns);
  for (int n = 0; n < 10; ++n)
    send(3);
  awaitRecords(10 + 36 + 1); // it has checked all ten, for only 36 are open at once
  thread->stop();
  EXPECT_STREQ(thread->why(), "MPI_Finalize");
  EXPECT_EQ(announced().size(), 11U);
}

TEST_F(PredictionsTest, WithoutAFenceNothingIsPredicted) {
  turnsToMake = 20;
  thread =
      std::make_unique<PreThread>(PreThread::Launch{makeTurns, nullptr, 0}, Options(), between);
  ASSERT_TRUE(thread->start());
  for (int n = 0; n < 10; ++n)
    send(3);
  awaitRecords(11);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  takeRecords();
  EXPECT_EQ(records.size(), 11U);
  EXPECT_EQ(thread->predictions().made, 0U);
}

TEST_F(PredictionsTest, TheThreadMayBeEndedAnywhere) {
  std::srand(1);
  for (int round = 0; round < 200; ++round) {
    Between around{kAllSites, 64};
    around.forwarding.begin(kAllSites);
    turnsToMake = 100000;
    PreThread::Launch launch{makeTurns, nullptr, 0};
    launch.lent.emplace().push_back(std::as_writable_bytes(std::span(&world, 1)));
    PreThread each(std::move(launch), Options(), around);
    ASSERT_TRUE(each.start());
    const int sent = std::rand() % 2000;
    for (long n = 0; n < sent; ++n) {
      const long value = n / 40;
      around.forwarding.send(kStep, {reinterpret_cast<const std::byte *>(&value), sizeof value, 0});
      while (around.stream.front() != nullptr)
        around.stream.pop();
      if (n % 7 == 0)
        around.progress.pass(kRead);
      std::free(std::malloc(64));
    }
    each.stop();
    EXPECT_STREQ(each.why(), "MPI_Finalize");
  }
  start(makeTurns); // for the fixture
}

} // namespace

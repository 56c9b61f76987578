// SPDX-License-Identifier: Apache-2.0
#include "CourierFixture.h"

#include <atomic>
#include <ctime>
#include <gmock/gmock.h>
#include <random>
#include <semaphore>
#include <thread>

namespace forerun {
namespace {

using testing::ElementsAre;

class CourierThreadTest : public CourierTest {
protected:
  /// Waits until the courier has taken all that was pushed.
  template <typename Reached> void waitUntil(const Reached &reached) {
    while (!reached())
      std::this_thread::yield();
  }
};

TEST_F(CourierThreadTest, APrivateReadBringsItsBytes) {
  const File file = open();
  courier.start();
  std::size_t bytes = 0;
  const Record ask = record(RecordKind::Read, file, {kRead, 0}, 5, 100);
  const auto *data = static_cast<const unsigned char *>(pre.exchange(ask, bytes));
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(bytes, 100U);
  EXPECT_EQ(data[99], 5);
  EXPECT_EQ(courier.counters().privateReads, 1U);
  close(file);
}

TEST_F(CourierThreadTest, APrivateReadThatFailsIsAnsweredAllTheSame) {
  const File file = open();
  cache.failReads = true;
  courier.start();
  std::size_t bytes = 0;
  EXPECT_EQ(pre.exchange(record(RecordKind::Read, file, {kRead, 0}, 5, 100), bytes), nullptr);
  close(file);
}

// ---- the rule for waits: channels/Progress.h ----

TEST_F(CourierThreadTest, APassedPrivateReadBehindWhatIsHeldIsAnswered) {
  constexpr std::uint64_t kLeash = 64; // the courier would sleep through an eighth of it
  const File file = open();
  distance.set(kLeash, kMiB);
  courier.start();
  for (std::uint64_t n = 0; n <= kLeash; ++n)
    prefetch(file, {kOtherRead, n}, n * 10, 10); // the main thread never makes these calls
  std::thread main([&] {
    waitUntil([&] { return pre.waiting() == CallId{kRead, 0}; });
    progress.pass(kRead);
  });
  std::size_t bytes = 0;
  EXPECT_NE(pre.exchange(record(RecordKind::Read, file, {kRead, 0}, 5, 100), bytes), nullptr);
  main.join();
  EXPECT_EQ(courier.counters().skippedLate, 1U);
  close(file);
}

TEST_F(CourierThreadTest, AFullStreamIsWaitedForUntilTheCallIsPassed) {
  constexpr std::uint64_t kLeash = 64;
  const File file = open();
  distance.set(kLeash, kMiB);
  courier.start();
  std::uint64_t passed = 0;
  std::thread main([&] {
    std::optional<CallId> at;
    waitUntil([&] { return (at = pre.waiting()).has_value(); });
    for (; passed <= at->occurrence; ++passed)
      progress.pass(kRead);
  });
  for (std::uint64_t n = 0; n <= kLeash; ++n)
    prefetch(file, {kOtherRead, n}, n * 10, 10); // the main thread never makes these calls
  for (std::uint64_t n = 0; n < kStreamRecords; ++n)
    prefetch(file, {kRead, n}, n * 10, 10);
  main.join();
  waitUntil([&] { return courier.counters().skippedLate == passed + 1; });
  close(file);
}

/// As CourierThreadTest, with prefetching suspended: storage is as fast as memory.
class SuspendedCourierTest : public CourierThreadTest {
protected:
  SuspendedCourierTest() {
    for (unsigned n = 0; n < Throttle::kMaxCallsBetweenProbings; ++n)
      courier.throttle().noteCall();
    for (unsigned n = 0; n < Throttle::kFastProbes; ++n)
      courier.throttle().noteResident();
    turn();
  }
};

TEST_F(SuspendedCourierTest, APrivateReadIsAnsweredWhenTheMainThreadHasPassedIt) {
  ASSERT_FALSE(courier.throttle().allows());
  const File file = open();
  courier.start();
  std::atomic<bool> passed{false}, tooEarly{false};
  cache.duringRead = [&] { tooEarly = !passed; };
  std::thread main([&] {
    for (std::uint64_t n = 0; n < 3; ++n) {
      waitUntil([&] { return pre.waiting() == CallId{kRead, n}; });
      passed = true;
      progress.pass(kRead);
    }
  });
  for (std::uint64_t n = 0; n < 3; ++n) {
    prefetch(file, {kOtherRead, n}, n * 10, 10); // the main thread never makes these calls
    std::size_t bytes = 0;
    EXPECT_NE(pre.exchange(record(RecordKind::Read, file, {kRead, n}, 5, 100), bytes), nullptr);
    EXPECT_EQ(bytes, 100U);
  }
  main.join();
  EXPECT_FALSE(tooEarly);
  EXPECT_EQ(courier.counters().announced, 0U);
  EXPECT_EQ(courier.counters().dropped, 3U);
  EXPECT_FALSE(file.handle->open->serving.load()) << "the door need not ask";
  close(file);
}

TEST_F(SuspendedCourierTest, AFullStreamIsWaitedForUntilTheCallIsPassed) {
  ASSERT_FALSE(courier.throttle().allows());
  const File file = open();
  courier.start();
  std::thread main([&] {
    std::optional<CallId> at;
    waitUntil([&] { return (at = pre.waiting()).has_value(); });
    for (std::uint64_t passed = 0; passed <= at->occurrence; ++passed)
      progress.pass(kRead);
  });
  for (std::uint64_t n = 0; n < kStreamRecords + 10; ++n)
    prefetch(file, {kRead, n}, n * 10, 10);
  main.join();
  EXPECT_EQ(courier.counters().announced, 0U);
  close(file);
}

TEST_F(CourierThreadTest, WithoutACacheWhatIsAskedForIsRefusedAndNothingIsHeld) {
  Stream unheard{4, wake};
  Courier bare{{.wake = wake,
                .pre = unheard,
                .hand = hand,
                .handles = handles,
                .cache = [] { return nullptr; },
                .progress = [this] { return &progress; },
                .distance = distance,
                .say = [](const char *) {},
                .giveUp = [](const char *) {}}};
  bare.start();
  for (std::uint64_t n = 0; n < 100; ++n) // of a file that is only written
    EXPECT_TRUE(unheard.push({.kind = RecordKind::Write, .call = {kWrite, n}, .length = 10}));
  std::size_t bytes = 0;
  EXPECT_EQ(unheard.exchange({.kind = RecordKind::Read, .call = {kRead, 0}, .length = 10}, bytes),
            nullptr);
  bare.stop();
}

TEST_F(CourierThreadTest, APrivateReadOfAClosedFileIsAnsweredAllTheSame) {
  const File file = open();
  const Record ask = record(RecordKind::Read, file, {kRead, 0}, 5, 100);
  close(file);
  courier.start();
  std::size_t bytes = 0;
  EXPECT_EQ(pre.exchange(ask, bytes), nullptr);
}

TEST_F(CourierThreadTest, APrivateReadWaitsForAnOverlappingWrite) {
  const File file = open();
  std::atomic<bool> passed{false}, tooEarly{false};
  cache.duringRead = [&] { tooEarly = !passed; };
  courier.start();
  write(file, {kWrite, 0}, 0, 100);
  std::thread producer([&] {
    std::size_t bytes = 0;
    EXPECT_NE(pre.exchange(record(RecordKind::Read, file, {kRead, 0}, 50, 10), bytes), nullptr);
  });
  waitUntil([&] { return pre.front() != nullptr; });
  passed = true;
  progress.pass(kWrite);
  producer.join();
  EXPECT_FALSE(tooEarly);
  close(file);
}

TEST_F(CourierThreadTest, TheProgramReadsIntoTheCacheWhatTheThreadNeedsNoSooner) {
  const File file = open();
  const std::atomic<bool> &followed = file.handle->open->followed;
  courier.start();
  const auto readPrivately = [&](std::uint64_t occurrence) {
    std::size_t bytes = 0;
    EXPECT_NE(pre.exchange(record(RecordKind::Read, file, {kRead, occurrence}, 50, 10), bytes),
              nullptr);
  };
  std::uint64_t next = 0;
  while (next < Lead::kByChance) {
    readPrivately(next++);
    EXPECT_TRUE(followed) << "the thread may be ahead by chance";
  }
  readPrivately(next++);
  EXPECT_FALSE(followed) << "the thread is ahead of the program";
  while (progress.passed(kRead) < next)
    progress.pass(kRead);
  readPrivately(next++);
  EXPECT_TRUE(followed) << "the program is as far";
  readPrivately(0);
  EXPECT_TRUE(followed) << "the program is farther";
  close(file);
}

/// It asks for what the program reads at the same time, and hides nothing.
TEST_F(CourierThreadTest, WhereTheThreadHasNoLeadItRestsAndTheProgramWakesNobody) {
  const File file = open();
  courier.start();
  cache.duringRead = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  std::size_t bytes = 0;
  for (std::uint64_t n = 0; n < Lead::kFirstJudged; ++n) {
    EXPECT_NE(pre.exchange(record(RecordKind::Read, file, {kRead, n}, 50, 10), bytes), nullptr);
    progress.pass(kRead);
  }
  const auto before = std::chrono::steady_clock::now();
  std::atomic<bool> answered{false};
  std::thread thread([&] {
    EXPECT_NE(
        pre.exchange(record(RecordKind::Read, file, {kRead, Lead::kFirstJudged}, 50, 10), bytes),
        nullptr);
    answered = true;
  });
  waitUntil([&] { return pre.waiting().has_value(); });
  for (unsigned n = 0; n < 100; ++n)
    progress.pass(kRead);
  EXPECT_EQ(courier.counters().privateReads, Lead::kFirstJudged);
  EXPECT_FALSE(answered);
  thread.join();
  EXPECT_GE(std::chrono::steady_clock::now() - before, std::chrono::milliseconds(160));
  close(file);
}

TEST_F(CourierThreadTest, WhereTheProgramGetsFarAheadARestingThreadCatchesUp) {
  const File file = open();
  courier.start();
  cache.duringRead = [] { std::this_thread::sleep_for(std::chrono::milliseconds(60)); };
  std::size_t bytes = 0;
  auto readNext = [&, next = std::uint64_t{0}]() mutable {
    EXPECT_NE(pre.exchange(record(RecordKind::Read, file, {kRead, next++}, 50, 10), bytes),
              nullptr);
    progress.pass(kRead);
  };
  for (std::uint64_t n = 0; n < Lead::kFirstJudged; ++n)
    readNext();
  std::thread thread(readNext);
  waitUntil([&] { return pre.waiting().has_value(); });
  EXPECT_TRUE(courier.lead().isResting());
  courier.noteFarAhead();
  thread.join();
  EXPECT_TRUE(courier.lead().isResting()) << "it has caught up";
  close(file);
}

TEST_F(CourierThreadTest, APrivateReadThatIsPassedWhileItWaitsIsAnswered) {
  const File file = open();
  courier.start();
  constexpr std::uint64_t kCalls = 100'000;
  std::thread main([&] {
    for (std::uint64_t n = 0; n < kCalls; ++n) {
      while (pre.waiting() != CallId{kRead, n}) {
      }
      courier.noteServed({Outcome::Hit, 10, kMiB}); // it gains something
      progress.pass(kRead);                         // not the write that it waits for
    }
  });
  write(file, {kWrite, 0}, 0, 100);
  for (std::uint64_t n = 0; n < kCalls; ++n) {
    std::size_t bytes = 0;
    ASSERT_NE(pre.exchange(record(RecordKind::Read, file, {kRead, n}, 50, 10), bytes), nullptr);
  }
  main.join();
  close(file);
}

TEST_F(CourierThreadTest, APrivateReadByHandWaitsForNoWrite) {
  const File file = open();
  courier.start();
  write(file, {kWrite, 0}, 0, 100);
  std::size_t bytes = 0;
  EXPECT_NE(hand.exchange(record(RecordKind::Read, file, CallId{}, 50, 10), bytes), nullptr);
  close(file);
}

TEST_F(CourierThreadTest, MainProgressWakesItForAParkedPrefetch) {
  const File file = open();
  courier.start();
  write(file, {kWrite, 0}, 0, 100);
  prefetch(file, {kRead, 0}, 0, 1);
  waitUntil([&] { return courier.counters().parked == 1; });
  progress.pass(kWrite);
  waitUntil([&] { return cache.told().size() == 1; });
  close(file);
}

TEST_F(CourierThreadTest, MainProgressWakesItWhenTheLeashWasTaut) {
  const File file = open();
  distance.set(8, kMiB);
  courier.start();
  constexpr std::uint64_t kCalls = 20'000;
  std::thread producer([&] {
    for (std::uint64_t n = 0; n < kCalls; ++n)
      prefetch(file, {kRead, n}, n, 1);
  });
  for (std::uint64_t n = 0; n < kCalls; ++n) {
    courier.recording().noteServed(1);
    progress.pass(kRead);
  }
  producer.join();
  waitUntil([&] { return pre.front() == nullptr; });
  const Courier::Counters counters = courier.counters();
  EXPECT_EQ(counters.announced + counters.skippedLate, kCalls);
  close(file);
}

TEST_F(CourierThreadTest, DetachWaitsForTheReadUnderWayAndForNothingElse) {
  const File file = open();
  std::binary_semaphore reading{0}, mayEnd{0};
  std::atomic<bool> closed{false};
  cache.duringRead = [&] {
    reading.release();
    mayEnd.acquire();
    EXPECT_FALSE(closed);
  };
  courier.start();
  std::thread producer([&] {
    std::size_t bytes = 0;
    pre.exchange(record(RecordKind::Read, file, {kRead, 0}, 50, 10), bytes);
  });
  reading.acquire();
  std::thread closer([&] {
    close(file);
    closed = true;
  });
  waitUntil([&] { return file.handle->generation.load() % 2 == 0; });
  EXPECT_FALSE(closed);
  mayEnd.release();
  closer.join();
  producer.join();
}

TEST_F(CourierThreadTest, FilesAreOpenedAndClosedWithRecordsInFlight) {
  courier.start();
  std::mt19937 random(1);
  std::uint64_t n = 0;
  for (int round = 0; round < 300; ++round) {
    const File file = open();
    for (int record = 0; record < 50; ++record, ++n) {
      if (random() % 8 == 0)
        write(file, {kWrite, n}, random() % 1000, 10);
      else if (random() % 32 == 0)
        sync(file, {kSync, n});
      else
        prefetch(file, {kRead, n}, random() % 1000, 10);
      if (random() % 4 == 0)
        progress.pass(static_cast<int>(random() % 3));
    }
    close(file);
  }
  courier.stop();
}

TEST_F(CourierThreadTest, StopEndsAProducerThatWaits) {
  const File file = open();
  distance.set(1, kMiB);
  courier.start();
  std::atomic<bool> refused{false};
  std::thread producer([&] {
    for (std::uint64_t n = 0; !refused; ++n)
      refused = !pre.push(record(RecordKind::Prefetch, file, {kRead, n}, n, 1));
  });
  waitUntil([&] { return cache.told().size() == 1; });
  courier.stop();
  producer.join();
  EXPECT_TRUE(refused);
  close(file);
}

TEST_F(CourierThreadTest, TheProgramsSignalsAreNotDeliveredToIt) {
  const File file = open();
  sigset_t blocked;
  sigemptyset(&blocked);
  cache.duringRead = [&] { pthread_sigmask(SIG_SETMASK, nullptr, &blocked); };
  courier.start();
  std::size_t bytes = 0;
  pre.exchange(record(RecordKind::Read, file, {kRead, 0}, 0, 1), bytes);
  EXPECT_TRUE(sigismember(&blocked, SIGALRM));
  EXPECT_TRUE(sigismember(&blocked, SIGUSR1));
  close(file);
}

} // namespace
} // namespace forerun

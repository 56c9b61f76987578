// SPDX-License-Identifier: Apache-2.0
#include "thread/LazyReads.h"

#include "OnPreThread.h"
#include "forerun/runtime.h"
#include "forerun/standins.h"

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

// Private reads whose bytes come when something accesses them.

using namespace forerun;

namespace {

constexpr std::size_t kBytes = std::size_t{64} << 10;
constexpr std::size_t kRagged = kBytes - 1000;

/// The byte at each offset of the file; newly allocated memory contains none of them.
std::byte at(std::uint64_t offset) { return static_cast<std::byte>(offset % 251 + 1); }

std::byte *allocate(std::size_t bytes = kBytes) {
  return static_cast<std::byte *>(forerun_pre_malloc(bytes));
}

bool leave(std::byte *to, std::uint64_t offset, std::size_t bytes = kBytes) {
  return PreThread::predicting()->leaveForTouch({{}, {0, offset}, offset, {to, bytes}});
}

/// Whether these are the file's bytes; the first access is in the middle.
bool holds(const std::byte *bytes, std::uint64_t offset, std::size_t count = kBytes) {
  if (bytes[count / 2] != at(offset + count / 2))
    return false;
  for (std::size_t i = 0; i < count; ++i)
    if (bytes[i] != at(offset + i))
      return false;
  return true;
}

std::atomic<int> failures;
void require(bool good) { failures += good ? 0 : 1; }

class LazyReadsTest : public testing::Test {
protected:
  LazyReadsTest() {
    between.forwarding.begin(1);
    failures = 0;
  }

  /// Runs the body on a fenced thread, answers its requests, and returns why the thread ended.
  std::string run(void (*body)(void *)) {
    PreThread::Launch launch{body, nullptr, 0};
    launch.lent.emplace();
    PreThread thread(std::move(launch), Options(), between);
    EXPECT_TRUE(thread.start());
    std::vector<std::vector<std::byte>> answers; // each is valid until the next request
    while (!thread.ended()) {
      const Record *record = between.stream.front();
      if (record == nullptr) {
        std::this_thread::yield();
        continue;
      }
      asked.push_back(record->offset);
      std::vector<std::byte> &bytes = answers.emplace_back(std::min(record->length, mostAnswered));
      for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = at(record->offset + i);
      between.stream.answer(bytes.data(), bytes.size(), !fails);
      between.stream.pop();
    }
    thread.stop();
    predictions = thread.predictions();
    EXPECT_EQ(failures, 0);
    return thread.why();
  }
  void send(long value) {
    EXPECT_EQ(
        between.forwarding.send(0, {reinterpret_cast<const std::byte *>(&value), sizeof value, 0}),
        nullptr);
  }

  Between between{1, 4096};
  std::vector<std::uint64_t> asked; ///< offsets
  std::uint64_t mostAnswered = kBytes;
  bool fails = false;
  Predictions::Counts predictions;
};

TEST_F(LazyReadsTest, BytesThatNobodyLooksAtAreNotAskedFor) {
  EXPECT_EQ(run([](void *) {
              std::byte *const buffer = allocate();
              for (std::uint64_t turn = 0; turn < 100; ++turn)
                require(leave(buffer, turn * kBytes));
              forerun_pre_free(buffer);
              require(allocate() == buffer);
              std::memset(buffer, 1, kBytes);
            }),
            kReturned);
  EXPECT_TRUE(asked.empty());
}

TEST_F(LazyReadsTest, ALookBringsThoseThatWereReadLast) {
  EXPECT_EQ(run([](void *) {
              std::byte *const buffer = allocate();
              for (std::uint64_t turn = 0; turn < 10; ++turn) {
                require(leave(buffer, turn * kBytes));
                if (turn % 2 == 1)
                  require(holds(buffer, turn * kBytes));
              }
            }),
            kReturned);
  EXPECT_EQ(asked.size(), 5U);
}

TEST_F(LazyReadsTest, WhatLiesBehindTheBytesStays) {
  mostAnswered = 5000; // in several pieces
  EXPECT_EQ(run([](void *) {
              std::byte *const buffer = allocate();
              std::memset(buffer, 0, kBytes);
              require(leave(buffer, 77, kRagged));
              require(holds(buffer, 77, kRagged));
              for (std::size_t i = kRagged; i < kBytes; ++i)
                require(buffer[i] == std::byte{0});
            }),
            kReturned);
}

TEST_F(LazyReadsTest, AStoreAndTheRuntimeLookToo) {
  EXPECT_EQ(run([](void *) {
              std::byte *const buffer = allocate();
              require(leave(buffer, 0));
              buffer[100] = std::byte{0};
              require(buffer[99] == at(99) && buffer[100] == std::byte{0});
              require(leave(buffer, 5));
              PreThread::self()->own(buffer + 200, 8); // in place of a fault where it has locks
              require(holds(buffer, 5));
              require(leave(buffer, 9));
              auto *const grown = static_cast<std::byte *>(forerun_pre_realloc(buffer, 4 * kBytes));
              require(holds(grown, 9));
            }),
            kReturned);
  EXPECT_EQ(asked, (std::vector<std::uint64_t>{0, 5, 9}));
}

TEST_F(LazyReadsTest, TheRuntimeMayLookWhereItIsUnstoppable) {
  EXPECT_EQ(run([](void *) {
              std::byte *const buffer = allocate();
              require(leave(buffer, 3));
              const PreThread::Unstoppable unstoppable; // as where it makes a datatype
              require(holds(buffer, 3));
            }),
            kReturned);
}

TEST_F(LazyReadsTest, OnlyWholePagesOfTheHeapAreLeft) {
  EXPECT_EQ(run([](void *) {
              alignas(4096) static std::byte own[kBytes];
              forerun_pre_lend(own, sizeof own);
              std::byte *const buffer = allocate(3 * kBytes);
              require(!leave(buffer + 16, 0));
              require(!leave(own, 0));
              require(!leave(buffer, 0, 1000));
              require(leave(buffer + kBytes, 0));
              require(!leave(buffer, 0, kBytes + 1)); // half of the other
              require(!leave(buffer + 2 * kBytes - 4096, 0));
              require(leave(buffer, 7, 3 * kBytes)); // all of it
              std::memset(buffer, 0, 1);
              require(buffer[2 * kBytes] == at(7 + 2 * kBytes));
            }),
            kReturned);
  EXPECT_EQ(asked, (std::vector<std::uint64_t>{7, 7 + kBytes, 7 + 2 * kBytes}));
}

TEST_F(LazyReadsTest, ThereIsAMaximum) {
  EXPECT_EQ(run([](void *) {
              std::vector<std::byte *> buffers(LazyReads::kMax + 1);
              for (std::byte *&each : buffers)
                each = allocate();
              for (std::size_t i = buffers.size(); i-- > 0;)
                require(leave(buffers[i], i * 13) == (i > 0));
              for (std::size_t i = 1; i < buffers.size(); ++i)
                require(holds(buffers[i], i * 13));
              require(leave(buffers[0], 0));
            }),
            kReturned);
  EXPECT_EQ(asked.size(), LazyReads::kMax);
}

TEST_F(LazyReadsTest, BytesThatCannotBeHadEndTheThread) {
  fails = true;
  EXPECT_EQ(run([](void *) {
              std::byte *const buffer = allocate();
              require(leave(buffer, 0));
              require(buffer[0] == std::byte{0});
              require(false); // it does not come here
            }),
            "a read whose bytes it needs has failed");
}

TEST_F(LazyReadsTest, AnyOtherFaultIsOne) {
  EXPECT_EQ(run([](void *) {
              std::byte *const buffer = allocate();
              require(leave(buffer, 0));
              *static_cast<volatile int *>(nullptr) = 1; // NOLINT
            }),
            "a segmentation fault (SIGSEGV)");
}

TEST_F(LazyReadsTest, WhoIsPutBackReadsAgain) {
  constexpr int kSame = 40;
  for (int n = 0; n < kSame; ++n)
    send(0);
  send(1); // not as predicted
  EXPECT_EQ(run([](void *) {
              std::byte *const buffer = allocate();
              std::byte *const other = allocate();
              require(leave(other, 1, kRagged));
              for (std::uint64_t turn = 0; turn < kSame; ++turn) {
                long value = 0;
                forerun_pre_receive(0, &value, sizeof value);
                require(leave(buffer, turn * kBytes));
                if (turn % 8 == 7)
                  require(holds(buffer, turn * kBytes));
              }
              // With a wrong prediction open: accessed, written to, read again, freed.
              require(leave(buffer, 11));
              long value = 0;
              forerun_pre_receive(0, &value, sizeof value);
              if (value == 0) {
                buffer[0] = std::byte{0};
                std::this_thread::yield();
              }
              require(value == 1);
              require(holds(buffer, 11));
              require(holds(other, 1, kRagged));
            }),
            kReturned);
  EXPECT_LE(predictions.wrong, 1U);
}

/// The value comes only when the thread has continued with another one.
TEST_F(LazyReadsTest, PagesAreAsTheyWereWhereAPredictionWasMade) {
  constexpr int kLearnt = 10;
  static std::atomic<bool> isAhead;
  isAhead = false;
  std::thread late([&] { // there is one sender
    for (int n = 0; n < kLearnt; ++n)
      send(0);
    while (!isAhead)
      std::this_thread::yield();
    send(1);
  });
  EXPECT_EQ(run([](void *) {
              std::byte *const left = allocate();
              std::byte *const there = allocate();
              std::memset(there, 7, kBytes);
              long value = 0;
              for (int turn = 0; turn < kLearnt; ++turn)
                forerun_pre_receive(0, &value, sizeof value);
              require(leave(left, 11));
              forerun_pre_receive(0, &value, sizeof value);
              if (value == 0) {
                require(leave(there, 22));
                require(leave(left, 33));
                isAhead = true;
                PreThread::self(); // it is put back
                require(false);
              }
              require(value == 1);
              for (std::size_t i = 0; i < kBytes; ++i)
                require(there[i] == std::byte{7});
              require(holds(left, 11));
            }),
            kReturned);
  late.join();
  EXPECT_EQ(predictions.wrong, 1U);
  EXPECT_EQ(asked, (std::vector<std::uint64_t>{11}));
}

} // namespace

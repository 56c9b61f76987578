// SPDX-License-Identifier: Apache-2.0
#include "thread/PreThread.h"

#include "OnPreThread.h"
#include "forerun/Clock.h"
#include "forerun/runtime.h"

#include <array>
#include <cstdlib>
#include <gtest/gtest.h>
#include <pthread.h>
#include <random>

/// \file
/// The pre-execution thread is ended at arbitrary instructions, again and again: what it had pushed
/// is complete, and the program continues.

using namespace forerun;

namespace {

constexpr int kRounds = 1000;
constexpr std::uint64_t kValueEvery = 16; ///< records

Stream *theStream; // of this round

Record numbered(std::uint64_t number) {
  Record record;
  record.call = {static_cast<int>(number % 7), number};
  record.offset = number * 3;
  record.length = ~number;
  return record;
}

bool isNumbered(const Record &record, std::uint64_t number) {
  return record.call.occurrence == number && record.call.site == static_cast<int>(number % 7) &&
         record.offset == number * 3 && record.length == ~number;
}

/// Everything that the thread may do, endlessly.
void everything(void *) {
  void *block = nullptr;
  for (std::uint64_t i = 0;; ++i) {
    block = forerun_pre_realloc(block, i % 5000 + 1);
    forerun_pre_free(forerun_pre_calloc(i % 100, 8));
    forerun_pre_rand();
    forerun_pre_drand48();
    int numbers[3];
    forerun_pre_sscanf("1 22 333", "%d %d %d", &numbers[0], &numbers[1], &numbers[2]);
    forerun_pre_at(0);
    if (i % kValueEvery == 0) {
      std::uint64_t value = 0;
      forerun_pre_receive(0, &value, sizeof value);
      forerun_pre_free(forerun_pre_receive_text(0));
    }
    theStream->push(numbered(i));
  }
}

void forward(Forwarding &forwarding, int values) {
  static constexpr std::array<std::byte, 100> kValue{};
  for (int i = 0; i < 2 * values; ++i)
    EXPECT_EQ(forwarding.send(0, {kValue.data(), kValue.size(), 0}), nullptr);
}

/// Takes what there is; returns how many records arrived complete and in order.
std::uint64_t drain(Stream &stream, std::uint64_t from) {
  while (const Record *record = stream.front()) {
    EXPECT_TRUE(isNumbered(*record, from));
    stream.pop();
    ++from;
  }
  return from;
}

TEST(EndAnywhereTest, RecordsStayWholeAndTheProgramGoesOn) {
  constexpr std::uint64_t kMaxRecords = 300, kMaxNs = 50'000, kLookNs = 1'000'000;
  std::mt19937 random(1); // NOLINT: the same moments each time, as far as a clock can
  for (int round = 0; round < kRounds && !testing::Test::HasFailure(); ++round) {
    Between between(1, 64);
    Stream &stream = between.stream;
    Forwarding &forwarding = between.forwarding;
    theStream = &stream;
    forwarding.begin(1);
    forward(forwarding, kMaxRecords / kValueEvery + 1);
    PreThread thread({everything, nullptr, 0}, Options(), between);
    ASSERT_TRUE(thread.start());
    // After so many records (none: while it starts), and so much time.
    const std::uint64_t records = random() % kMaxRecords;
    std::uint64_t here = 0;
    while ((here = drain(stream, here)) < records)
      between.wake.wait(between.wake.prepare(), kLookNs);
    for (const auto end = nowNs() + random() % kMaxNs; nowNs() < end;) {
      here = drain(stream, here);
      between.progress.pass(0);
      forward(forwarding, 1);
      std::free(std::malloc(random() % 10000)); // the main thread's own locks are free
    }
    thread.stop();
    EXPECT_GE(drain(stream, here), records);
    EXPECT_FALSE(stream.push({}));
  }
}

} // namespace

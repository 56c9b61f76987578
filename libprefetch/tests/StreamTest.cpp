// SPDX-License-Identifier: Apache-2.0
#include "channels/Stream.h"

#include <array>
#include <gtest/gtest.h>
#include <thread>

using namespace forerun;

namespace {

constexpr std::uint64_t kRecords = 1'000'000;

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

/// Sleeps until the stream has a record.
const Record *await(const Stream &stream, EventCount &wake) {
  for (;;) {
    const auto key = wake.prepare();
    if (const Record *record = stream.front()) {
      wake.cancel();
      return record;
    }
    wake.wait(key);
  }
}

TEST(StreamTest, MillionRecordsArriveWholeAndInOrder) {
  EventCount wake;
  Stream stream(256, wake);
  std::thread producer([&] {
    for (std::uint64_t i = 0; i < kRecords; ++i)
      ASSERT_TRUE(stream.push(numbered(i)));
  });
  std::uint64_t good = 0;
  for (std::uint64_t i = 0; i < kRecords; ++i) {
    good += isNumbered(*await(stream, wake), i);
    stream.pop();
  }
  producer.join();
  EXPECT_EQ(good, kRecords);
  EXPECT_EQ(stream.front(), nullptr);
}

TEST(StreamTest, ShutWakesAProducerThatWaitsForRoom) {
  EventCount wake;
  Stream stream(4, wake);
  std::atomic<std::uint64_t> pushed{0};
  std::thread producer([&] {
    while (stream.push(numbered(pushed)))
      ++pushed;
  });
  while (pushed < 4)
    std::this_thread::yield();
  stream.shut();
  producer.join();
  EXPECT_EQ(pushed, 4u);
  EXPECT_FALSE(stream.push(numbered(0)));
  EXPECT_TRUE(isNumbered(*stream.front(), 0)); // what was published stays
}

TEST(StreamTest, WhatHangsOnAPredictionDoesNotWaitForRoom) {
  EventCount wake;
  Stream stream(8, wake);
  stream.push({});
  stream.predict(7);
  EXPECT_FALSE(stream.isHalfFull());
  for (int n = 1; n < 8; ++n)
    EXPECT_TRUE(stream.push({}));
  EXPECT_TRUE(stream.isHalfFull());
  EXPECT_FALSE(stream.push({}));
  stream.predict(0);
  stream.withdraw({7, 7});
  EXPECT_FALSE(stream.withdrawals().has(stream.front()->prediction));
  stream.pop();
  EXPECT_TRUE(stream.withdrawals().has(stream.front()->prediction));
}

TEST(StreamTest, ExchangeReturnsTheBytesOfItsOwnAnswer) {
  EventCount wake;
  Stream stream(16, wake);
  std::thread consumer([&] {
    for (int i = 0; i < 1000; ++i) {
      std::array<std::uint64_t, 2> answer{await(stream, wake)->offset, 42};
      stream.answer(answer.data(), sizeof answer, true);
      stream.pop();
      // The producer releases the buffer by its next record.
      while (await(stream, wake)->kind != RecordKind::Sync)
        ;
      stream.pop();
    }
  });
  for (std::uint64_t i = 0; i < 1000; ++i) {
    Record question = numbered(i);
    question.kind = RecordKind::Read;
    std::size_t bytes = 0;
    const auto *answer = static_cast<const std::uint64_t *>(stream.exchange(question, bytes));
    ASSERT_NE(answer, nullptr);
    EXPECT_EQ(bytes, 16u);
    EXPECT_EQ(answer[0], i * 3);
    Record done;
    done.kind = RecordKind::Sync;
    stream.push(done);
  }
  consumer.join();
}

TEST(StreamTest, ExchangeOfAFailedReadGivesNothing) {
  EventCount wake;
  Stream stream(4, wake);
  std::thread consumer([&] {
    await(stream, wake);
    stream.answer(nullptr, 0, false);
    stream.pop();
  });
  std::size_t bytes = 1;
  EXPECT_EQ(stream.exchange(numbered(1), bytes), nullptr);
  EXPECT_EQ(bytes, 0u);
  consumer.join();
}

TEST(StreamTest, ShutWakesAProducerThatWaitsForBytes) {
  EventCount wake;
  Stream stream(4, wake);
  std::thread producer([&] {
    std::size_t bytes = 0;
    EXPECT_EQ(stream.exchange(numbered(1), bytes), nullptr);
  });
  await(stream, wake);
  stream.shut();
  producer.join();
}

TEST(StreamTest, AConsumerThatLeavesRecordsLyingIsNotWokenForMore) {
  EventCount wake;
  Stream stream(8, wake);
  const auto empty = wake.prepare(); // changes with every notify
  ASSERT_TRUE(stream.push({}));
  const auto first = wake.prepare();
  EXPECT_NE(first, empty);
  ASSERT_TRUE(stream.push({}));
  EXPECT_EQ(wake.prepare(), first);
  stream.pop();
  stream.pop();
  ASSERT_TRUE(stream.push({}));
  EXPECT_NE(wake.prepare(), first);
}

} // namespace

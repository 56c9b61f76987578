// SPDX-License-Identifier: Apache-2.0
#include "UcxTransport.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace forerun {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class UcxTransportTest : public testing::Test {
protected:
  void SetUp() override {
    for (Rank rank = 0; rank < 2; ++rank) {
      transports.push_back(makeUcxTransport(rank));
      ASSERT_NE(transports.back(), nullptr);
    }
    for (const auto &each : transports)
      each->setAddresses({transports[0]->address(), transports[1]->address()});
  }

  struct Packet {
    Rank from;
    std::vector<PeerMessage> messages;
    std::vector<std::byte> bytes;
  };
  /// What arrives at \p rank; the other one progresses, too.
  std::vector<Packet> receive(Rank rank, std::size_t packets) {
    std::vector<Packet> all;
    const auto until = std::chrono::steady_clock::now() + seconds(60);
    while (all.size() < packets && std::chrono::steady_clock::now() < until) {
      transports[1 - rank]->wait(milliseconds(0), [](auto...) {});
      transports[rank]->wait(milliseconds(1), [&](Rank from, auto messages, auto bytes) {
        all.push_back({from, {messages.begin(), messages.end()}, {bytes.begin(), bytes.end()}});
      });
    }
    return all;
  }

  std::vector<std::unique_ptr<PeerTransport>> transports;
};

TEST_F(UcxTransportTest, ThereIsAWayToTheOther) { EXPECT_TRUE(transports[0]->reaches(1)); }

TEST_F(UcxTransportTest, MessagesAndBytesArrive) {
  const std::vector<std::byte> page(256 << 10, std::byte{'x'});
  const std::vector<PeerMessage> messages{
      {.kind = PeerMessage::Kind::Bytes, .want = 7, .page = {5, 3}, .sectors = 9}, {.want = 8}};
  for (const std::size_t length : {std::size_t{0}, std::size_t{4096}, page.size()}) {
    PeerBytes sent(length);
    std::copy_n(page.begin(), length, sent.data());
    transports[0]->send(1, messages, std::move(sent));
    const std::vector<Packet> come = receive(1, 1);
    ASSERT_EQ(come.size(), 1U);
    EXPECT_EQ(come[0].from, 0U);
    ASSERT_EQ(come[0].messages.size(), 2U);
    EXPECT_EQ(come[0].messages[0].page, (PeerPage{5, 3}));
    EXPECT_EQ(come[0].messages[0].sectors, 9U);
    EXPECT_EQ(come[0].messages[1].want, 8U);
    EXPECT_EQ(come[0].bytes, std::vector(page.begin(), page.begin() + static_cast<long>(length)));
  }
}

TEST_F(UcxTransportTest, PacketsWithoutBytesKeepTheirOrder) {
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const PeerMessage message{.want = i};
    transports[0]->send(1, {&message, 1}, {});
  }
  const std::vector<Packet> come = receive(1, 1000);
  ASSERT_EQ(come.size(), 1000U);
  for (std::uint32_t i = 0; i < 1000; ++i)
    EXPECT_EQ(come[i].messages[0].want, i);
}

TEST_F(UcxTransportTest, ItIsWoken) {
  std::atomic<bool> isAwake{false};
  std::thread waiter([&] {
    transports[0]->wait(seconds(1000), [](auto...) {});
    isAwake = true;
  });
  transports[0]->wake();
  waiter.join(); // or the test's time is over
  EXPECT_TRUE(isAwake);
}

TEST_F(UcxTransportTest, IdleItTakesNoProcessorTime) {
  const auto used = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  };
  const PeerMessage message{};
  transports[0]->send(1, {&message, 1}, {}); // connected
  ASSERT_EQ(receive(1, 1).size(), 1U);
  const auto before = used();
  const auto until = std::chrono::steady_clock::now() + milliseconds(500);
  while (std::chrono::steady_clock::now() < until)
    transports[1]->wait(milliseconds(500), [](auto...) {});
  EXPECT_LT(used() - before, milliseconds(10)); // 2 %
}

TEST_F(UcxTransportTest, WhoHasEndedIsNotWaitedFor) {
  const PeerMessage message{};
  transports[0]->send(1, {&message, 1}, {});
  ASSERT_EQ(receive(1, 1).size(), 1U);
  transports[1] = nullptr;
  for (int i = 0; i < 100; ++i) {
    transports[0]->send(1, {&message, 1}, PeerBytes(64 << 10));
    transports[0]->wait(milliseconds(1), [](auto...) {});
  }
}

/// With a network that cannot tell who has ended, which is refused.
TEST(UcxSilenceTest, WhatGoesWrongIsNotSaidOnTheProgramsOutput) {
  ASSERT_EQ(setenv("FORERUN_UCX_TLS", "sm,self", 1), 0);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  std::vector<std::unique_ptr<PeerTransport>> transports;
  for (Rank rank = 0; rank < 2; ++rank)
    transports.push_back(makeUcxTransport(rank));
  for (const auto &each : transports)
    if (each != nullptr)
      each->setAddresses({transports[0]->address(), transports[1]->address()});
  const PeerMessage message{};
  if (transports[0] != nullptr) {
    EXPECT_FALSE(transports[0]->reaches(1));
    transports[0]->send(1, {&message, 1}, {});
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  ASSERT_EQ(unsetenv("FORERUN_UCX_TLS"), 0);
}

} // namespace
} // namespace forerun

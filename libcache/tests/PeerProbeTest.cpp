// SPDX-License-Identifier: Apache-2.0
#include "peers/PeerProbe.h"
#include "fetch/StorageCost.h"

#include <deque>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace forerun {
namespace {

constexpr std::size_t kPageBytes = 8192;

/// Holds packets for the test.
class HeldTransport final : public PeerTransport {
public:
  struct Sent {
    Rank to;
    PeerMessage message;
    std::size_t bytes;
  };
  const std::string &address() const override { return address_; }
  void setAddresses(std::vector<std::string> /*addresses*/) override {}
  bool reaches(Rank /*other*/) override { return true; }
  void send(Rank to, std::span<const PeerMessage> messages, PeerBytes bytes) override {
    for (const PeerMessage &message : messages)
      sent.push_back({to, message, bytes.size()});
  }
  void wait(std::chrono::nanoseconds /*longest*/, const Receive & /*receive*/) override {}
  void wake() override {}

  std::deque<Sent> sent;

private:
  const std::string address_;
};

/// Rank 1 probes, rank 3 is its partner.
class PeerProbeTest : public testing::Test {
protected:
  /// The next Ping and its Pong, which comes after \p ns. Returns how many bytes it has.
  std::size_t exchange(std::uint64_t ns) {
    const auto ping = mine.sent.front();
    mine.sent.pop_front();
    EXPECT_EQ(ping.to, 3U);
    EXPECT_TRUE(partner.receive(1, ping.message, now));
    const auto pong = others.sent.front();
    others.sent.pop_front();
    EXPECT_EQ(pong.to, 1U);
    now += ns;
    EXPECT_TRUE(probe.receive(3, pong.message, now));
    return pong.bytes;
  }

  HeldTransport mine, others;
  PeerProbe probe{mine, 3, kPageBytes};
  PeerProbe partner{others, 1, kPageBytes};
  std::uint64_t now = 1'000'000;
};

TEST_F(PeerProbeTest, TheLeastOfThreeHitsIsWhatOthersTake) {
  probe.begin(now);
  EXPECT_EQ(exchange(90'000), 0U); // the connection is not part of it
  EXPECT_EQ(exchange(100), 0U);
  EXPECT_EQ(exchange(900), kPageBytes);
  EXPECT_EQ(probe.tookNs(), 0U);
  exchange(50);
  exchange(400);
  exchange(5'000);
  exchange(500);
  EXPECT_EQ(probe.tookNs(), 450U);
  EXPECT_TRUE(mine.sent.empty());
}

TEST_F(PeerProbeTest, WhatComesLateOrTwiceIsNothing) {
  probe.begin(now);
  const PeerMessage lost = mine.sent.front().message;
  mine.sent.clear();
  probe.begin(now);
  partner.receive(1, lost, now); // it was only late
  EXPECT_TRUE(probe.receive(3, others.sent.front().message, now));
  others.sent.clear();
  EXPECT_EQ(mine.sent.size(), 1U);
  for (int i = 0; i < 6; ++i)
    exchange(100);
  const PeerMessage last = mine.sent.front().message;
  exchange(100);
  PeerMessage again = last;
  again.kind = PeerMessage::Kind::Pong;
  EXPECT_TRUE(probe.receive(3, again, now));
  EXPECT_EQ(probe.tookNs(), 200U);
  EXPECT_TRUE(mine.sent.empty());
}

TEST_F(PeerProbeTest, OtherMessagesAreNotItsOwn) {
  EXPECT_FALSE(probe.receive(3, {.kind = PeerMessage::Kind::Want}, now));
}

TEST(StorageCost, IsTheMeanOfLate) {
  StorageCost cost;
  for (int i = 0; i < 15; ++i)
    cost.took(1000);
  EXPECT_FALSE(cost.isLessThan(10'000)); // too little is known
  cost.took(1000);
  EXPECT_TRUE(cost.isLessThan(1001));
  EXPECT_FALSE(cost.isLessThan(1000));
  for (int i = 0; i < 200; ++i)
    cost.took(5000);
  EXPECT_FALSE(cost.isLessThan(4900));
}

} // namespace
} // namespace forerun

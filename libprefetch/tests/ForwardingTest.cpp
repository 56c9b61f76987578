// SPDX-License-Identifier: Apache-2.0
#include "channels/Forwarding.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace forerun;

namespace {

const char *sendText(Forwarding &forwarding, int site, const std::string &text) {
  return forwarding.send(site, {reinterpret_cast<const std::byte *>(text.data()), text.size(), 0});
}

std::string receiveText(Forwarding &forwarding, int site) {
  const Forwarding::Value value = forwarding.await(site);
  std::string text(reinterpret_cast<const char *>(value.data), value.bytes);
  forwarding.release(site);
  return text;
}

/// A quarter of what may wait.
std::string piece(int number) {
  return std::string(Forwarding::kMaxBytes / 4, static_cast<char>('a' + number));
}

TEST(ForwardingTest, TheKthValueOfASiteIsTheKthReceivedThere) {
  Forwarding forwarding;
  forwarding.begin(3);
  for (const char *text : {"0", "1", "2"})
    for (int site = 2; site >= 0; --site)
      EXPECT_EQ(sendText(forwarding, site, text + std::to_string(site)), nullptr);
  for (int site = 0; site < 3; ++site)
    for (const char *text : {"0", "1", "2"})
      EXPECT_EQ(receiveText(forwarding, site), text + std::to_string(site));
}

TEST(ForwardingTest, AWaitForSomeTimeEndsWhenTheValueComesOrTheTimeIsOver) {
  constexpr std::uint64_t kMillisecond = 1'000'000, kHour = 3'600'000 * kMillisecond;
  Forwarding forwarding;
  forwarding.begin(1);
  forwarding.awaitFor(0, kMillisecond);
  EXPECT_FALSE(forwarding.hasArrived(0));
  std::thread sender([&] { sendText(forwarding, 0, "it"); });
  while (!forwarding.hasArrived(0))
    forwarding.awaitFor(0, kHour);
  sender.join();
  forwarding.awaitFor(0, kHour); // it is there
  EXPECT_EQ(receiveText(forwarding, 0), "it");
}

TEST(ForwardingTest, ValuesAreCountedOnWhenTheReceiverHasEndedIfThatIsAskedFor) {
  for (const bool countsOn : {true, false}) {
    Forwarding forwarding;
    forwarding.begin(2, countsOn);
    sendText(forwarding, 0, "0");
    EXPECT_EQ(receiveText(forwarding, 0), "0");
    forwarding.abandon();
    for (int n = 0; n < 5; ++n)
      sendText(forwarding, 0, "more");
    EXPECT_EQ(forwarding.isOpen(), countsOn);
    EXPECT_EQ(forwarding.count(0).sent, countsOn ? 6U : 1U);
    EXPECT_EQ(forwarding.count(0).received, 1U);
  }
}

TEST(ForwardingTest, WhatIsPassedOverIsNotReceivedWhetherItHasComeOrNot) {
  Forwarding forwarding;
  forwarding.begin(1);
  for (const char *text : {"0", "1", "2"})
    sendText(forwarding, 0, text);
  EXPECT_TRUE(forwarding.hasArrived(0));
  forwarding.passOver(0, 2);
  EXPECT_EQ(receiveText(forwarding, 0), "2");
  EXPECT_FALSE(forwarding.hasArrived(0));
  forwarding.passOver(0, 3);
  for (const char *text : {"3", "4", "5"})
    sendText(forwarding, 0, text);
  EXPECT_FALSE(forwarding.hasArrived(0));
  sendText(forwarding, 0, "6");
  EXPECT_EQ(receiveText(forwarding, 0), "6");
  const auto count = forwarding.count(0);
  EXPECT_EQ(count.sent, 7U);
  EXPECT_EQ(count.received, 7U);
}

TEST(ForwardingTest, WhatIsPassedOverBeforeItComesCostsNoMemory) {
  Forwarding forwarding;
  forwarding.begin(1);
  forwarding.passOver(0, 20);
  for (int sent = 0; sent < 20; ++sent)
    EXPECT_EQ(sendText(forwarding, 0, piece(sent)), nullptr);
  EXPECT_TRUE(forwarding.isOpen());
}

TEST(ForwardingTest, AskingAgainAndAgainCostsNoMemory) {
  Forwarding forwarding;
  forwarding.begin(1);
  constexpr int kTimes = 1000000;
  for (int n = 0; n < kTimes; ++n)
    ASSERT_EQ(sendText(forwarding, 0, "not yet"), nullptr);
  sendText(forwarding, 0, "now");
  forwarding.passOver(0, kTimes - 2);
  for (const char *text : {"not yet", "not yet", "now"})
    EXPECT_EQ(receiveText(forwarding, 0), text);
  EXPECT_FALSE(forwarding.hasArrived(0));
}

TEST(ForwardingTest, ValuesThatAreTheSameAreToldFromThoseLeftOutBetweenThem) {
  Forwarding forwarding;
  forwarding.begin(1);
  sendText(forwarding, 0, "same");
  forwarding.passOver(0, 3);
  for (int n = 1; n < 4; ++n)
    sendText(forwarding, 0, "same");
  EXPECT_EQ(receiveText(forwarding, 0), "same");
  EXPECT_FALSE(forwarding.hasArrived(0));
  sendText(forwarding, 0, "same");
  EXPECT_EQ(receiveText(forwarding, 0), "same");
}

TEST(ForwardingTest, ValuesFromBeforeTheBeginningAreKept) {
  Forwarding forwarding;
  sendText(forwarding, 5, "early");
  sendText(forwarding, 9, "of a site that does not exist");
  forwarding.begin(6);
  sendText(forwarding, 5, "late");
  EXPECT_EQ(receiveText(forwarding, 5), "early");
  EXPECT_EQ(receiveText(forwarding, 5), "late");
}

TEST(ForwardingTest, SitesThatDoNotExistHaveNoValuesAndDoNoHarm) {
  Forwarding forwarding;
  forwarding.begin(1);
  EXPECT_EQ(sendText(forwarding, 1, "x"), nullptr);
  EXPECT_EQ(sendText(forwarding, -1, "x"), nullptr);
  for (const int site : {-1, 1}) {
    EXPECT_EQ(forwarding.await(site).data, nullptr);
    forwarding.release(site);
  }
  EXPECT_TRUE(forwarding.isOpen());
}

TEST(ForwardingTest, AValueOfNoBytesIsAValue) {
  Forwarding forwarding;
  forwarding.begin(1);
  forwarding.send(0, {nullptr, 0, 0});
  sendText(forwarding, 0, "next");
  EXPECT_EQ(receiveText(forwarding, 0), "");
  EXPECT_EQ(receiveText(forwarding, 0), "next");
}

TEST(ForwardingTest, WhatNobodyReceivesShutsItAtTheBound) {
  Forwarding forwarding;
  forwarding.begin(2);
  for (int sent = 0; sent < 3; ++sent)
    EXPECT_EQ(sendText(forwarding, sent % 2, piece(sent)), nullptr);
  const char *why = nullptr;
  for (int sent = 3; sent < 5 && why == nullptr; ++sent)
    why = sendText(forwarding, 0, piece(sent));
  ASSERT_NE(why, nullptr);
  EXPECT_STREQ(forwarding.whyShut(), why);
  EXPECT_FALSE(forwarding.isOpen());
  EXPECT_EQ(sendText(forwarding, 0, piece(5)), nullptr) << "the reason is told once";
}

TEST(ForwardingTest, ItSaysWhenMuchWaitsToBeReceived) {
  Forwarding forwarding;
  forwarding.begin(1);
  const std::string half(Forwarding::kMuch / 2, 'x'), other(Forwarding::kMuch / 2, 'y');
  sendText(forwarding, 0, half);
  EXPECT_FALSE(forwarding.isFilling());
  sendText(forwarding, 0, other);
  EXPECT_TRUE(forwarding.isFilling());
  receiveText(forwarding, 0);
  receiveText(forwarding, 0);
  sendText(forwarding, 0, "a little");
  EXPECT_FALSE(forwarding.isFilling());
}

TEST(ForwardingTest, WhatHasBeenReceivedMakesRoomAtEverySite) {
  Forwarding forwarding;
  forwarding.begin(3);
  const std::string most(Forwarding::kMaxBytes - 4096, 'x');
  for (int round = 0; round < 9; ++round) {
    EXPECT_EQ(sendText(forwarding, round % 3, most), nullptr) << round;
    EXPECT_EQ(receiveText(forwarding, round % 3).size(), most.size());
  }
}

TEST(ForwardingTest, ASecondSenderShutsIt) {
  Forwarding forwarding;
  forwarding.begin(1);
  EXPECT_EQ(sendText(forwarding, 0, "mine"), nullptr);
  const char *why = nullptr;
  std::thread([&] { why = sendText(forwarding, 0, "another's"); }).join();
  EXPECT_NE(why, nullptr);
  EXPECT_EQ(receiveText(forwarding, 0), "mine");
}

TEST(ForwardingTest, AfterTheReceiversEndMemoryIsGivenBack) {
  Forwarding forwarding;
  forwarding.begin(1);
  sendText(forwarding, 0, "nobody comes for it");
  forwarding.abandon();
  EXPECT_EQ(sendText(forwarding, 0, "nor for this"), nullptr);
  EXPECT_FALSE(forwarding.isOpen());
}

TEST(ForwardingTest, ManyValuesArriveWholeAndInOrder) {
  constexpr int kSites = 5, kValues = 20000;
  Forwarding forwarding;
  forwarding.begin(kSites);
  const auto valueAt = [](int n) {
    return std::string(static_cast<std::size_t>(n % 300), 'a') + std::to_string(n);
  };
  std::thread receiver([&] {
    for (int n = 0; n < kValues; ++n)
      ASSERT_EQ(receiveText(forwarding, n % kSites), valueAt(n));
  });
  for (int n = 0; n < kValues; ++n)
    ASSERT_EQ(sendText(forwarding, n % kSites, valueAt(n)), nullptr);
  receiver.join();
}

/// Runs of the same value, some of which the receiver skips.
TEST(ForwardingTest, RunsOfValuesArriveInOrderWhoeverIsAhead) {
  constexpr int kValues = 200000;
  Forwarding forwarding;
  forwarding.begin(1);
  const auto valueAt = [](int n) { return std::to_string(n / 7 * (n / 7) % 3); };
  std::thread receiver([&] {
    for (int n = 0; n < kValues; ++n) {
      if (n % 1000 == 0)
        std::this_thread::yield();
      ASSERT_EQ(receiveText(forwarding, 0), valueAt(n)) << n;
      const int over = std::min(n % 11 == 0 ? n % 5 : 0, kValues - 1 - n);
      forwarding.passOver(0, over);
      n += over;
    }
  });
  for (int n = 0; n < kValues; ++n)
    ASSERT_EQ(sendText(forwarding, 0, valueAt(n)), nullptr);
  receiver.join();
}

} // namespace

// SPDX-License-Identifier: Apache-2.0
#include "Faults.h"

#include <gtest/gtest.h>

namespace forerun::testbed {
namespace {

using namespace std::chrono_literals;

TEST(Faults, WithoutCommandsNothingGoesWrong) {
  Faults faults;
  const ReadFate fate = faults.decide(0, 100);
  EXPECT_FALSE(fate.error);
  EXPECT_EQ(fate.length, 100U);
  EXPECT_EQ(fate.delay, 0ns);
}

TEST(Faults, OnlyReadsThatTouchTheBadRangeFail) {
  Faults faults;
  EXPECT_EQ(faults.command("eio 1000 10"), "");
  EXPECT_FALSE(faults.decide(0, 1000).error);
  EXPECT_TRUE(faults.decide(0, 1001).error);
  EXPECT_TRUE(faults.decide(1009, 1).error);
  EXPECT_FALSE(faults.decide(1010, 5).error);
}

TEST(Faults, AShortReadIsNeverEmpty) {
  Faults faults;
  EXPECT_EQ(faults.command("short-rate 1"), "");
  EXPECT_EQ(faults.decide(0, 100).length, 50U);
  EXPECT_EQ(faults.decide(0, 1).length, 1U);
}

TEST(Faults, TheErrorRateIsKeptInTheMean) {
  Faults faults;
  EXPECT_EQ(faults.command("eio-rate 0.25"), "");
  int failed = 0;
  for (int i = 0; i < 10000; ++i)
    failed += faults.decide(0, 1).error ? 1 : 0;
  EXPECT_NEAR(failed, 2500, 200);
}

TEST(Faults, AHangConcernsOneRead) {
  Faults faults;
  EXPECT_EQ(faults.command("hang 2.5"), "");
  EXPECT_EQ(faults.decide(0, 1).delay, 2500ms);
  EXPECT_EQ(faults.decide(0, 1).delay, 0ns);
}

TEST(Faults, ClearEndsAllFaults) {
  Faults faults;
  for (const char *command : {"eio 0 10", "eio-rate 1", "short-rate 1", "hang 1", "clear"})
    EXPECT_EQ(faults.command(command), "");
  EXPECT_EQ(faults.describe(), "");
  EXPECT_FALSE(faults.decide(0, 10).error);
}

TEST(Faults, WhatIsInForceReadsAsTheCommandsThatMadeIt) {
  Faults faults;
  for (const char *command : {"eio 5 10", "eio-rate 0.5", "short-rate 0.25", "hang 3"})
    EXPECT_EQ(faults.command(command), "");
  EXPECT_EQ(faults.describe(), "eio 5 10\neio-rate 0.5\nshort-rate 0.25\nhang 3\n");
}

TEST(Faults, ABadCommandIsExplainedAndChangesNothing) {
  Faults faults;
  for (const char *command : {"", "eio", "eio 5", "eio 5 6 7", "eio-rate 2", "short-rate x", "hang",
                              "hang -1", "clear all", "explode"})
    EXPECT_NE(faults.command(command), "") << command;
  EXPECT_EQ(faults.describe(), "");
}

} // namespace
} // namespace forerun::testbed

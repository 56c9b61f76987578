// SPDX-License-Identifier: Apache-2.0
#include "Settings.h"

#include <gtest/gtest.h>

namespace forerun::testbed {
namespace {

using namespace std::chrono_literals;

/// The settings of a command line that has to be valid.
Settings parsed(const std::vector<std::string> &words) {
  std::string error;
  const auto settings = parseSettings(words, error);
  EXPECT_TRUE(settings.has_value()) << error;
  return settings.value_or(Settings{});
}

TEST(Settings, TimesHaveUnits) {
  EXPECT_EQ(parseTime("1ms"), 1ms);
  EXPECT_EQ(parseTime("0.5ms"), 500us);
  EXPECT_EQ(parseTime("50us"), 50us);
  EXPECT_EQ(parseTime("2s"), 2s);
  EXPECT_EQ(parseTime("0"), 0s);
  for (const char *wrong : {"", "5", "-1ms", "1h", "1 ms", "9999s", "nanms"})
    EXPECT_EQ(parseTime(wrong), std::nullopt) << wrong;
}

TEST(Settings, SizesAreBinaryAndRatesDecimal) {
  EXPECT_EQ(parseAmount("64K", 1024), 65536U);
  EXPECT_EQ(parseAmount("200M", 1000), 200'000'000U);
  EXPECT_EQ(parseAmount("1.5G", 1000), 1'500'000'000U);
  for (const char *wrong : {"", "K", "64k", "-1", "1T"})
    EXPECT_EQ(parseAmount(wrong, 1024), std::nullopt) << wrong;
}

TEST(Settings, StartTakesItsModelFromTheCommandLine) {
  const Settings settings =
      parsed({"start", "--latency", "5ms", "--servers", "3", "--stripe", "1M", "--bandwidth", "0",
              "--service", "10us", "--kernel-cache", "/a/./b/", "/c"});
  EXPECT_EQ(settings.verb, Verb::Start);
  EXPECT_EQ(settings.timing.latency, 5ms);
  EXPECT_EQ(settings.timing.writeLatency, 5ms);
  EXPECT_EQ(settings.timing.servers, 3U);
  EXPECT_EQ(settings.timing.stripeBytes, 1U << 20);
  EXPECT_EQ(settings.timing.bandwidthBytesPerSecond, 0U);
  EXPECT_EQ(settings.timing.service, 10us);
  EXPECT_TRUE(settings.kernelCache);
  EXPECT_EQ(settings.backing, "/a/b");
  EXPECT_EQ(settings.mountPoint, "/c");
}

TEST(Settings, WritesMayHaveALatencyOfTheirOwn) {
  const Settings settings =
      parsed({"start", "--write-latency", "2ms", "--latency", "5ms", "/a", "/b"});
  EXPECT_EQ(settings.timing.writeLatency, 2ms);
}

TEST(Settings, WhatIsWrongIsSaid) {
  std::string error;
  const std::vector<std::vector<std::string>> wrong = {{"start"},
                                                       {"start", "/a"},
                                                       {"start", "/a", "/b", "/c"},
                                                       {"start", "--latency", "fast", "/a", "/b"},
                                                       {"start", "--servers", "0", "/a", "/b"},
                                                       {"start", "--stripe", "0", "/a", "/b"},
                                                       {"start", "/a", "/b", "--latency"},
                                                       {"start", "--colour", "red", "/a", "/b"},
                                                       {"stop"},
                                                       {"status", "/a", "/b"},
                                                       {"dance"}};
  for (const auto &words : wrong) {
    error.clear();
    EXPECT_FALSE(parseSettings(words, error).has_value());
    EXPECT_NE(error, "");
  }
}

} // namespace
} // namespace forerun::testbed

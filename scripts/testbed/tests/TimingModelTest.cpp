// SPDX-License-Identifier: Apache-2.0
#include "TimingModel.h"

#include <gtest/gtest.h>

namespace forerun::testbed {
namespace {

using namespace std::chrono_literals;

/// 1 ms latency, 4 servers of 100 MB/s and 50 us, stripes of 1000 bytes (10 us each).
TimingParameters parameters() {
  TimingParameters p;
  p.latency = 1ms;
  p.writeLatency = 2ms;
  p.service = 50us;
  p.servers = 4;
  p.stripeBytes = 1000;
  p.bandwidthBytesPerSecond = 100'000'000;
  return p;
}

TEST(TimingModel, ALoneReadTakesServiceTransferAndLatency) {
  TimingModel model(parameters());
  EXPECT_EQ(model.read(5s, 0, 1000), 5s + 50us + 10us + 1ms);
}

TEST(TimingModel, ReadsOfOneServerQueueUp) {
  TimingModel model(parameters());
  EXPECT_EQ(model.read(0s, 0, 1000), 1ms + 60us);
  EXPECT_EQ(model.read(0s, 4000, 1000), 1ms + 120us);
}

TEST(TimingModel, ReadsOfDifferentServersDoNotWaitForEachOther) {
  TimingModel model(parameters());
  for (std::uint64_t server = 0; server < 4; ++server)
    EXPECT_EQ(model.read(0s, server * 1000, 1000), 1ms + 60us);
}

TEST(TimingModel, ALargeReadIsServedByAllServersAtOnce) {
  TimingModel model(parameters());
  EXPECT_EQ(model.read(0s, 0, 4000), 1ms + 60us);
  TimingModel again(parameters());
  EXPECT_EQ(again.read(0s, 500, 4000), 1ms + 60us); // the two ends lie on one server
}

TEST(TimingModel, TwoStripesOfOneServerAreOneRequestToIt) {
  TimingModel model(parameters());
  EXPECT_EQ(model.read(0s, 0, 5000), 1ms + 50us + 20us);
}

TEST(TimingModel, AnIdleServerStartsAtOnce) {
  TimingModel model(parameters());
  model.read(0s, 0, 1000);
  EXPECT_EQ(model.read(10ms, 0, 1000), 10ms + 60us + 1ms);
}

TEST(TimingModel, WritesHaveTheirOwnLatencyAndShareTheQueues) {
  TimingModel model(parameters());
  EXPECT_EQ(model.write(0s, 0, 1000), 2ms + 60us);
  EXPECT_EQ(model.read(0s, 0, 1000), 1ms + 120us);
}

TEST(TimingModel, WithoutBandwidthLimitOnlyServiceAndLatencyCount) {
  TimingParameters unlimited = parameters();
  unlimited.bandwidthBytesPerSecond = 0;
  TimingModel model(unlimited);
  EXPECT_EQ(model.read(0s, 0, 1 << 20), 1ms + 50us);
}

TEST(TimingModel, AnEmptyReadTakesTheLatency) {
  TimingModel model(parameters());
  EXPECT_EQ(model.read(0s, 77, 0), 1ms);
}

} // namespace
} // namespace forerun::testbed

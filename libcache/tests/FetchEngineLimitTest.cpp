// SPDX-License-Identifier: Apache-2.0
// The adaptation of the in-flight limit, against a simulated storage in simulated time.
#include "fetch/InFlightLimit.h"

#include <gtest/gtest.h>

#include <queue>
#include <random>
#include <vector>

using namespace forerun;

namespace {

constexpr std::size_t kRequestBytes = 32 << 10;
constexpr unsigned kMax = 32;

/// A storage with a number of servers, each serving one request after the other, behind a network
/// that delays all requests equally.
class Storage {
public:
  Storage(unsigned servers, double serviceNs, double networkNs)
      : freeAtNs_(servers), service_(serviceNs), network_(networkNs) {}

  /// When a request issued at \p nowNs is answered.
  double answer(double nowNs) {
    double &server = freeAtNs_[random_() % freeAtNs_.size()];
    std::exponential_distribution<double> spread(1.0);
    server = std::max(server, nowNs) + service_ * (0.5 + spread(random_) / 2);
    return server + network_;
  }

private:
  std::vector<double> freeAtNs_;
  double service_, network_;
  std::mt19937_64 random_{1};
};

/// A client that always has more to read.
class Client {
public:
  explicit Client(InFlightLimit &limit) : limit_(limit) {}

  /// Runs for \p count requests. Returns requests per second.
  double run(Storage &storage, unsigned count, bool backlog = true) {
    double beganNs = nowNs_;
    for (unsigned done = 0; done < count; ++done) {
      while (underWay_.size() < limit_.value())
        underWay_.push({storage.answer(nowNs_), nowNs_});
      auto [finishedNs, issuedNs] = underWay_.top();
      underWay_.pop();
      nowNs_ = finishedNs;
      limit_.finished(kRequestBytes, std::uint64_t(finishedNs - issuedNs),
                      std::uint64_t(finishedNs), backlog);
    }
    return count / (nowNs_ - beganNs) * 1e9;
  }

private:
  using Finish = std::pair<double, double>;
  InFlightLimit &limit_;
  std::priority_queue<Finish, std::vector<Finish>, std::greater<>> underWay_;
  double nowNs_ = 1;
};

constexpr double kMs = 1e6;

TEST(FetchEngineLimit, AStorageThatTakesAllItGetsIsGivenTheMost) {
  InFlightLimit limit(kMax);
  Storage storage(1000, 0.1 * kMs, 5 * kMs);
  double reached = Client(limit).run(storage, 100'000);
  EXPECT_EQ(limit.value(), kMax);
  EXPECT_GT(reached, 0.98 * kMax / 0.0051);
}

TEST(FetchEngineLimit, AQueueInTheStorageIsCutWithoutLossOfThroughput) {
  InFlightLimit limit(kMax);
  Storage storage(1, 1 * kMs, 0.2 * kMs);
  double reached = Client(limit).run(storage, 20'000);
  EXPECT_LE(limit.value(), kMax / 4);
  EXPECT_GT(reached, 0.95 * 1000);
}

TEST(FetchEngineLimit, TheLimitRisesAgainWhenTheStorageTakesMore) {
  InFlightLimit limit(kMax);
  Client client(limit);
  Storage slow(1, 1 * kMs, 0.2 * kMs);
  client.run(slow, 20'000);
  ASSERT_LE(limit.value(), kMax / 4);
  Storage wide(1000, 0.1 * kMs, 5 * kMs);
  client.run(wide, 20'000);
  EXPECT_GE(limit.value(), kMax * 3 / 4);
}

TEST(FetchEngineLimit, AMixOfFastAndSlowAnswersDoesNotLowerIt) {
  // Latencies of the storage's own cache and of its disks: every second answer is a hit.
  InFlightLimit limit(kMax);
  double nowNs = 1;
  for (unsigned i = 0; i < 20'000; ++i) {
    bool hit = i % 2 == 0;
    double latencyNs = hit ? 0.05 * kMs : 5 * kMs;
    nowNs += (0.05 * kMs + 5 * kMs) / 2 / limit.value();
    limit.finished(kRequestBytes, std::uint64_t(latencyNs), std::uint64_t(nowNs), true);
  }
  EXPECT_GE(limit.value(), kMax * 3 / 4);
}

TEST(FetchEngineLimit, WithoutABacklogNothingIsLearnt) {
  InFlightLimit limit(kMax);
  Storage storage(1, 1 * kMs, 0.2 * kMs);
  Client(limit).run(storage, 20'000, false);
  EXPECT_EQ(limit.value(), kMax);
}

TEST(FetchEngineLimit, ALimitOfOneStays) {
  InFlightLimit limit(1);
  Storage storage(1, 1 * kMs, 0.2 * kMs);
  Client(limit).run(storage, 20'000);
  EXPECT_EQ(limit.value(), 1U);
}

} // namespace

// SPDX-License-Identifier: Apache-2.0
#include "RequestQueue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

using namespace forerun;

namespace {

constexpr std::size_t kMostBytes = 32, kMostGap = 3;

/// What the queue must give next, found the slow way.
FetchRequest *mostUrgent(std::vector<FetchRequest> &requests) {
  FetchRequest *best = nullptr;
  auto key = [](const FetchRequest &request) {
    bool announced = request.sequence != 0;
    return std::tuple(request.kind == FetchKind::Prefetch, !announced, request.sequence,
                      request.arrival);
  };
  for (FetchRequest &request : requests)
    if (request.queued && (!best || key(request) < key(*best)))
      best = &request;
  return best;
}

void expectOneRun(std::span<FetchRequest *const> run, const FetchRequest *urgent) {
  EXPECT_NE(std::ranges::find(run, urgent), run.end());
  for (std::size_t i = 1; i < run.size(); ++i) {
    EXPECT_EQ(run[i]->file, run[0]->file);
    EXPECT_EQ(run[i]->kind, run[0]->kind);
    const std::uint64_t end = run[i - 1]->offset + run[i - 1]->length;
    EXPECT_TRUE(run[i]->offset >= end && run[i]->offset - end <= kMostGap);
  }
  const std::uint64_t bytes = run.back()->offset + run.back()->length - run[0]->offset;
  EXPECT_TRUE(run.size() == 1 || bytes <= kMostBytes);
}

TEST(FetchEngineQueue, EveryRunHoldsTheMostUrgentRequestAndItsNeighboursOnly) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::array<FetchFile *, 2> files = {reinterpret_cast<FetchFile *>(1),
                                        reinterpret_cast<FetchFile *>(2)};
    RequestQueue queue;
    std::vector<FetchRequest> requests(400);
    for (FetchRequest &request : requests) {
      request.file = files[random() % files.size()];
      request.offset = random() % 500;
      request.length = 1 + random() % 8;
      request.sequence = random() % 50;
      request.kind = random() % 4 == 0 ? FetchKind::Demand : FetchKind::Prefetch;
      queue.insert(request);
      queue.raise(requests[random() % 40]);
    }
    std::size_t taken = 0;
    while (!queue.empty()) {
      FetchRequest *urgent = mostUrgent(requests);
      std::array<FetchRequest *, 5> run;
      std::size_t count = queue.takeRun(kMostBytes, kMostGap, run);
      expectOneRun({run.data(), count}, urgent);
      taken += count;
    }
    EXPECT_EQ(taken, requests.size());
    EXPECT_EQ(queue.bytes(), 0U);
  }
}

} // namespace

// SPDX-License-Identifier: Apache-2.0
#include "fetch/RequestQueue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

using namespace forerun;

namespace {

constexpr Reach kReach{32, 3}, kReachOfOneCall{48, 9};

/// What the queue must return next, found the slow way.
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

bool within(const Reach &reach, std::span<FetchRequest *const> run) {
  for (std::size_t i = 1; i < run.size(); ++i)
    if (run[i]->offset - (run[i - 1]->offset + run[i - 1]->length) > reach.gap)
      return false;
  return run.back()->offset + run.back()->length - run[0]->offset <= reach.bytes;
}

void expectOneRun(std::span<FetchRequest *const> run, const FetchRequest *urgent) {
  EXPECT_NE(std::ranges::find(run, urgent), run.end());
  for (std::size_t i = 1; i < run.size(); ++i) {
    EXPECT_EQ(run[i]->file, run[0]->file);
    EXPECT_EQ(run[i]->kind, run[0]->kind);
    EXPECT_GE(run[i]->offset, run[i - 1]->offset + run[i - 1]->length);
  }
  EXPECT_TRUE(run.size() == 1 || within(kReachOfOneCall, run));
  const auto isOfItsCall = [&](const FetchRequest *each) {
    return each != urgent && each->sequence != 0 && each->sequence == urgent->sequence;
  };
  EXPECT_TRUE(run.size() == 1 || std::ranges::any_of(run, isOfItsCall) || within(kReach, run));
}

TEST(FetchEngineQueue, EveryRunHoldsTheMostUrgentRequestAndItsNeighboursOnly) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::array<FetchFile, 2> files;
    RequestQueue queue;
    std::vector<FetchRequest> requests(400);
    for (FetchRequest &request : requests) {
      request.file = &files[random() % files.size()];
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
      std::size_t count = queue.takeRun(kReach, kReachOfOneCall, run);
      expectOneRun({run.data(), count}, urgent);
      taken += count;
    }
    EXPECT_EQ(taken, requests.size());
    EXPECT_EQ(queue.bytes(), 0U);
  }
}

TEST(FetchEngineQueue, OnlyPartsOfOneCallReachFurther) {
  RequestQueue queue;
  std::array<FetchRequest, 4> requests;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i].offset = i * 10;
    requests[i].length = 2;
    requests[i].sequence = i < 3 ? 1 : 2;
    queue.insert(requests[i]);
  }
  std::array<FetchRequest *, 4> run;
  EXPECT_EQ(queue.takeRun(kReach, kReachOfOneCall, run), 3U);
  EXPECT_EQ(queue.takeRun(kReach, kReachOfOneCall, run), 1U);
  EXPECT_EQ(run[0], &requests[3]);
}

} // namespace

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "CacheFixture.h"

#include <array>
#include <thread>
#include <utility>

/// \file
/// Three caches over one pool, as three processes of a node have them, each with an engine that the
/// test controls, and one file that all have open.

namespace forerun {

class PoolFixture : public testing::Test {
protected:
  static constexpr std::size_t kFrames = 8; ///< that each brings
  static constexpr std::uint64_t kFileBytes = 64 * kPage;

  struct Rank : FakedCache {
    std::uint64_t elsewhere() const { return file->hitsElsewhere.sum().hits; }
  };

  PoolFixture() {
    auto pool = NodePool::create({3, kFrames, kPage});
    node_ = pool.get();
    auto second = pool->join(1), third = pool->join(2);
    start(ranks[0], std::move(pool));
    start(ranks[1], std::move(second));
    start(ranks[2], std::move(third));
  }
  ~PoolFixture() override {
    for (Rank &rank : ranks)
      rank.end();
  }

  /// The storage's content becomes \p length bytes of \p generation from \p offset on.
  void store(std::uint64_t offset, std::size_t length, unsigned generation) {
    const std::vector<char> bytes = bytesOf(offset, length, generation);
    for (Rank &rank : ranks)
      std::ranges::copy(bytes, rank.engine->content.begin() + static_cast<std::ptrdiff_t>(offset));
  }
  std::size_t fetches() const {
    return ranks[0].engine->submitted() + ranks[1].engine->submitted() +
           ranks[2].engine->submitted();
  }

  Descriptor descriptor;
  std::array<Rank, 3> ranks;
  Rank &one = ranks[0], &two = ranks[1], &three = ranks[2];

  std::size_t framesHeld() const {
    std::size_t held = 0;
    for (unsigned member = 0; member < ranks.size(); ++member)
      held += node_->heldBy(member);
    return held;
  }
  /// Waits until somebody sleeps waiting for another's fetch.
  void waitForWaiter() const {
    const auto anyWaits = [&] {
      for (std::size_t slot = 0; slot < node_->shape().frames(); ++slot)
        if (node_->state(static_cast<Slot>(slot)).waiters.load() != 0)
          return true;
      return false;
    };
    while (!anyWaits())
      std::this_thread::yield();
  }

private:
  const NodePool *node_ = nullptr;

  void start(Rank &rank, std::unique_ptr<NodePool> pool) {
    rank.start(kFrames, kPage, std::move(pool));
    rank.engine->content = bytesOf(0, kFileBytes);
    rank.open(descriptor.source());
  }
};

} // namespace forerun

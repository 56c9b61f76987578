// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/Policy.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

/// \file
/// What lock-free reads have to report: counts, and which slots they have read. Threads write to
/// their own stripes, so that no two cores contend for a cache line.
///
/// Threads: `add` from any thread; the rest as each class says. If there are more threads than
/// stripes they share them, which costs only time.

namespace forerun {

inline constexpr unsigned kStripes = 16;
inline constexpr std::size_t kCacheLineBytes = 64;

/// The calling thread's stripe.
inline unsigned ownStripe() {
  static constinit std::atomic<unsigned> threads{0};
  // initial-exec: the general model costs a call.
  __attribute__((tls_model("initial-exec"))) static constinit thread_local unsigned mine = kStripes;
  if (mine == kStripes)
    mine = threads.fetch_add(1, std::memory_order_relaxed) % kStripes;
  return mine;
}

/// Reads and their bytes.
class HitCounts {
public:
  struct Sum {
    std::uint64_t hits = 0, bytes = 0;
  };

  void add(std::size_t bytes) {
    Stripe &stripe = stripes_[ownStripe()];
    stripe.hits.fetch_add(1, std::memory_order_relaxed);
    stripe.bytes.fetch_add(bytes, std::memory_order_relaxed);
  }
  /// Includes at least every add that happened before this call as the caller knows it.
  Sum sum() const {
    Sum sum;
    for (const Stripe &stripe : stripes_) {
      sum.hits += stripe.hits.load(std::memory_order_relaxed);
      sum.bytes += stripe.bytes.load(std::memory_order_relaxed);
    }
    return sum;
  }

private:
  struct alignas(kCacheLineBytes) Stripe {
    std::atomic<std::uint64_t> hits{0}, bytes{0};
  };
  std::array<Stripe, kStripes> stripes_;
};

/// Slots that have been read and that the policy does not know about yet. Those of one thread are
/// in order; those of several threads in any order. If threads share a stripe, or one adds while
/// another takes, a slot may be lost or come twice: only the policy's order suffers a little.
class Touches {
public:
  /// True if the stripe is full: time to `take`. Until then further touches are lost.
  bool add(Slot slot) {
    Stripe &stripe = stripes_[ownStripe()];
    const unsigned at = stripe.count.load(std::memory_order_relaxed);
    if (at < kSlots) {
      stripe.slots[at].store(slot, std::memory_order_relaxed);
      stripe.count.store(at + 1, std::memory_order_release);
    }
    if (!any_.load(std::memory_order_relaxed))
      any_.store(true, std::memory_order_relaxed);
    return at + 1 >= kSlots;
  }

  /// Calls \p touch with each slot. One thread at a time.
  template <typename Touch> void take(Touch touch) {
    if (!any_.load(std::memory_order_relaxed))
      return;
    any_.store(false, std::memory_order_relaxed);
    for (Stripe &stripe : stripes_) {
      const unsigned count = stripe.count.exchange(0, std::memory_order_acquire);
      for (unsigned at = 0; at < count; ++at)
        touch(stripe.slots[at].load(std::memory_order_relaxed));
    }
  }

private:
  static constexpr unsigned kSlots = 63; ///< with the count: four cache lines
  struct alignas(kCacheLineBytes) Stripe {
    std::atomic<unsigned> count{0};
    std::array<std::atomic<Slot>, kSlots> slots{};
  };
  alignas(kCacheLineBytes) std::atomic<bool> any_{false};
  std::array<Stripe, kStripes> stripes_;
};

} // namespace forerun

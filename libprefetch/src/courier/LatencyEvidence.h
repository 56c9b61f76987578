// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

/// \file
/// Evidence of latency in the program's own reads: slow ones add to it, fast ones reduce it, so that
/// a few slow ones among many show nothing. Threads: any; approximate if several read at once.

namespace forerun {

class LatencyEvidence {
public:
  /// A slow read weighs as much as this many fast ones: fewer than 1 in 5 is noise.
  static constexpr std::uint64_t kSlowWeight = 4;

  void noteFast() {
    if (const std::uint64_t before = weight_.load(std::memory_order_relaxed); before != 0)
      weight_.store(before - 1, std::memory_order_relaxed);
  }
  /// One slow read that counts as \p reads. Returns how many slow reads it is now.
  std::uint64_t noteSlow(std::uint64_t reads = 1) {
    const std::uint64_t now = weight_.load(std::memory_order_relaxed) + reads * kSlowWeight;
    weight_.store(now, std::memory_order_relaxed);
    return now / kSlowWeight;
  }
  void forget() { weight_.store(0, std::memory_order_relaxed); }
  bool isAny() const { return weight_.load(std::memory_order_relaxed) != 0; }

private:
  std::atomic<std::uint64_t> weight_{0};
};

} // namespace forerun

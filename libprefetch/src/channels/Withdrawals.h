// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

/// \file
/// Which predictions were wrong (thread/Predictions.h). They are numbered from 1 in the order in
/// which they are made; a wrong one withdraws all that were made after it. One thread adds, any
/// thread reads.
///
/// Invariant: ranges do not overlap, and ascend.

namespace forerun {

class Withdrawals {
public:
  /// A thread that was wrong this often need not go on.
  static constexpr std::size_t kMax = 16384;

  struct Range {
    std::uint32_t first = 0, last = 0;
  };

  bool isFull() const { return count_.load(std::memory_order_relaxed) == kMax; }
  void add(Range range) { ///< only if it is not full
    const std::size_t count = count_.load(std::memory_order_relaxed);
    ranges_[count] = range;
    count_.store(count + 1, std::memory_order_release);
  }

  std::size_t count() const { return count_.load(std::memory_order_acquire); }
  Range operator[](std::size_t n) const { return ranges_[n]; }
  /// False for 0, which is no prediction.
  bool has(std::uint32_t prediction) const {
    const Range *const end = ranges_.data() + count();
    const Range *const at = std::partition_point(
        ranges_.data(), end, [prediction](const Range &each) { return each.last < prediction; });
    return at != end && at->first <= prediction;
  }

private:
  std::array<Range, kMax> ranges_{};
  std::atomic<std::size_t> count_{0};
};

} // namespace forerun

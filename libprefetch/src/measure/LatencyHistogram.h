// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

/// \file
/// A fixed logarithmic histogram of durations: eight buckets per power of two, so that a percentile
/// is at most an eighth too high. Any thread may add; histograms of ranks are merged by adding
/// their counts.

namespace forerun {

class LatencyHistogram {
public:
  static constexpr unsigned kBucketsPerDoubling = 8;
  static constexpr std::size_t kBuckets = std::size_t{61} * kBucketsPerDoubling + 8;
  using Counts = std::array<std::uint64_t, kBuckets>;

  void add(std::uint64_t ns) { counts_[bucketOf(ns)].fetch_add(1, std::memory_order_relaxed); }
  Counts counts() const;

  static std::size_t bucketOf(std::uint64_t ns);
  static std::uint64_t upperBoundOf(std::size_t bucket); ///< the largest duration in it
  /// The bound of the bucket in which the smallest \p share (0..1) ends; 0 if nothing was counted.
  static std::uint64_t percentile(const Counts &counts, double share);

private:
  std::array<std::atomic<std::uint64_t>, kBuckets> counts_{};
};

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#include "measure/LatencyHistogram.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace forerun {

// Durations below 8 ns have a bucket each; above, the three bits below the leading one choose.

std::size_t LatencyHistogram::bucketOf(std::uint64_t ns) {
  if (ns < kBucketsPerDoubling)
    return ns;
  const auto doubling = static_cast<unsigned>(std::bit_width(ns)) - 4;
  return std::size_t{doubling} * kBucketsPerDoubling + (ns >> doubling);
}

std::uint64_t LatencyHistogram::upperBoundOf(std::size_t bucket) {
  if (bucket < std::size_t{2} * kBucketsPerDoubling)
    return bucket;
  const auto doubling = static_cast<unsigned>(bucket / kBucketsPerDoubling) - 1;
  const std::uint64_t mantissa = bucket - std::size_t{doubling} * kBucketsPerDoubling;
  return ((mantissa + 1) << doubling) - 1;
}

LatencyHistogram::Counts LatencyHistogram::counts() const {
  Counts counts;
  std::transform(counts_.begin(), counts_.end(), counts.begin(),
                 [](const auto &count) { return count.load(std::memory_order_relaxed); });
  return counts;
}

std::uint64_t LatencyHistogram::percentile(const Counts &counts, double share) {
  const std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  if (all == 0)
    return 0;
  const auto wanted = std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(all))));
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    seen += counts[bucket];
    if (seen >= wanted)
      return upperBoundOf(bucket);
  }
  return upperBoundOf(kBuckets - 1);
}

} // namespace forerun

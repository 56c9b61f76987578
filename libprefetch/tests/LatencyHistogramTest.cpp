// SPDX-License-Identifier: Apache-2.0
#include "measure/LatencyHistogram.h"

#include <gtest/gtest.h>
#include <limits>

namespace forerun {
namespace {

TEST(LatencyHistogramTest, EveryDurationLiesInItsBucket) {
  std::uint64_t before = 0;
  for (std::size_t bucket = 0; bucket < LatencyHistogram::kBuckets; ++bucket) {
    const std::uint64_t bound = LatencyHistogram::upperBoundOf(bucket);
    EXPECT_EQ(LatencyHistogram::bucketOf(bound), bucket);
    EXPECT_EQ(LatencyHistogram::bucketOf(bucket == 0 ? 0 : before + 1), bucket);
    before = bound;
  }
  EXPECT_EQ(before, std::numeric_limits<std::uint64_t>::max());
}

TEST(LatencyHistogramTest, PercentilesAreAtMostAnEighthTooHigh) {
  LatencyHistogram histogram;
  for (std::uint64_t n = 1; n <= 1000; ++n)
    histogram.add(n * 1000);
  for (const double share : {0.5, 0.9, 0.99, 1.0}) {
    const auto exact = static_cast<std::uint64_t>(share * 1000) * 1000;
    const std::uint64_t found = LatencyHistogram::percentile(histogram.counts(), share);
    EXPECT_GE(found, exact);
    EXPECT_LE(found, exact + exact / 8);
  }
}

TEST(LatencyHistogramTest, OfNothingThePercentileIsZero) {
  EXPECT_EQ(LatencyHistogram::percentile(LatencyHistogram().counts(), 0.5), 0U);
}

} // namespace
} // namespace forerun

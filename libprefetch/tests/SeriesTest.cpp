// SPDX-License-Identifier: Apache-2.0
#include "measure/Series.h"

#include <gmock/gmock.h>

namespace forerun {
namespace {

constexpr std::uint64_t kMs = 1'000'000;

ReadFigures hits(std::uint64_t count) {
  ReadFigures figures;
  figures.reads[0] = count;
  return figures;
}

std::uint64_t sum(const IntervalFigures &series) {
  ReadFigures all;
  for (const ReadFigures &each : series.intervals)
    all += each;
  return all.allReads();
}

TEST(SeriesTest, AReadIsCountedInTheIntervalInWhichItEnds) {
  Series series;
  series.start(10 * kMs);
  series.add(10 * kMs, hits(1));
  series.add(12 * kMs + 1, hits(2));
  series.add(12 * kMs + 2, hits(3));
  const IntervalFigures figures = series.figures();
  EXPECT_EQ(figures.lengthNs, kMs);
  EXPECT_EQ(figures.intervals[0].reads[0], 1U);
  EXPECT_EQ(figures.intervals[1].reads[0], 0U);
  EXPECT_EQ(figures.intervals[2].reads[0], 5U);
}

TEST(SeriesTest, WhereTimeGoesBeyondTheLastEachTwoBecomeOne) {
  IntervalFigures figures;
  for (std::size_t n = 0; n < IntervalFigures::kIntervals; ++n)
    figures.add(n * kMs, hits(n));
  figures.add(IntervalFigures::kIntervals * kMs, hits(7));
  EXPECT_EQ(figures.lengthNs, 2 * kMs);
  EXPECT_EQ(figures.intervals[1].reads[0], 2U + 3U);
  EXPECT_EQ(figures.intervals[IntervalFigures::kIntervals / 2].reads[0], 7U);
}

TEST(SeriesTest, AYearLaterNothingIsLost) {
  IntervalFigures figures;
  figures.add(0, hits(1));
  figures.add(std::uint64_t{365} * 24 * 3600 * 1000 * kMs, hits(1));
  EXPECT_EQ(sum(figures), 2U);
  EXPECT_EQ(figures.intervals[0].reads[0], 1U);
}

TEST(SeriesTest, AReadBeforeTheStartIsOneAtTheStart) {
  Series series;
  series.start(5);
  series.add(3, hits(1));
  EXPECT_EQ(series.figures().intervals[0].reads[0], 1U);
}

} // namespace
} // namespace forerun

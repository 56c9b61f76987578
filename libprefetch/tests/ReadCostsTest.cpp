// SPDX-License-Identifier: Apache-2.0
#include "measure/ReadCosts.h"
#include "forerun/Clock.h"
#include "measure/ReadSamples.h"
#include "measure/Recording.h"

#include <array>
#include <gtest/gtest.h>
#include <vector>

namespace forerun {
namespace {

constexpr auto kOne = ReadForm::Contiguous, kAll = ReadForm::Collective;

/// A read of 4 KiB.
void add(ReadCosts &costs, ReadForm form, bool served, std::uint64_t ns, std::uint64_t waitedNs = 0,
         std::uint64_t bytes = 4096) {
  costs.add({form, served, false, bytes, ns, waitedNs});
}

/// \p reads would have cost \p ns together.
void know(ReadCosts &costs, ReadForm form, std::uint64_t reads, double ns) {
  ReadCosts::OfForm &of = costs.forms[static_cast<std::size_t>(form)];
  of.reads += reads;
  of.ns += ns;
  of.again += 1;
}

TEST(ReadCosts, WhatForerunHadNoPartInCostWhatItTook) {
  ReadCosts costs;
  add(costs, kOne, false, 700);
  add(costs, kAll, false, 300, 100);
  EXPECT_EQ(costs.withoutNs(costs), 1000U);
}

TEST(ReadCosts, AServedReadWouldHaveCostTheMeanOfTheKnownOnes) {
  ReadCosts costs;
  add(costs, kOne, false, 5000);
  for (int n = 0; n < 100; ++n)
    add(costs, kOne, true, 10);
  know(costs, kOne, 80, 160'000);
  EXPECT_EQ(costs.withoutNs(costs), 5000U + 100 * 2000);
  EXPECT_EQ(costs.ns, 6000U);
}

TEST(ReadCosts, WaitingForProcessesThatComeLateIsNotHidden) {
  ReadCosts costs;
  add(costs, kAll, true, 550, 500);
  know(costs, kAll, 1, 4000);
  EXPECT_EQ(costs.withoutNs(costs), 4500U);
}

TEST(ReadCosts, EachFormHasItsOwnCost) {
  ReadCosts costs;
  add(costs, kAll, true, 1);
  add(costs, kOne, true, 1);
  know(costs, kOne, 1, 1000);
  EXPECT_EQ(costs.withoutNs(costs), std::nullopt) << "collective reads: no basis";
  know(costs, kAll, 1, 9000);
  EXPECT_EQ(costs.withoutNs(costs), 10000U);
}

TEST(ReadCosts, AnUnknownFileIsLikeOthersWithReadsOfItsLength) {
  ReadCosts file, alike, longer;
  add(file, kOne, true, 1);
  add(alike, kOne, true, 1, 0, 6000);
  know(alike, kOne, 1, 1000);
  add(longer, kOne, true, 1, 0, 1 << 20);
  know(longer, kOne, 1, 9000);
  ReadCosts all = file;
  all += alike;
  EXPECT_EQ(file.withoutNs(file), std::nullopt);
  EXPECT_EQ(file.withoutNs(all), 1000U);
  all += longer;
  EXPECT_EQ(file.withoutNs(all), std::nullopt);
}

TEST(ReadCosts, ThereIsNoBasisWhereReadsAreTooLargeToBeMadeOnceMore) {
  ReadCosts costs;
  know(costs, kOne, 10, 1000);
  costs.add({kOne, true, true, std::uint64_t{1} << 30, 10, 0});
  EXPECT_EQ(costs.withoutNs(costs), std::nullopt);
}

/// Reads of one byte each, at offset n.
void addReads(ReadSamples &samples, ReadForm form, std::uint64_t count) {
  for (std::uint64_t n = 0; n < count; ++n) {
    const forerun_range range{n, 1};
    samples.add(form, {&range, 1}, true);
  }
}

std::vector<std::uint64_t> offsetsIn(const ReadSamples::Kept &kept) {
  std::vector<std::uint64_t> offsets;
  for (const ReadSamples::Group &group : kept.groups)
    for (const ReadSamples::Read &read : group)
      offsets.push_back(read.ranges.at(0).offset);
  return offsets;
}

TEST(ReadSamples, FewReadsAreAllKeptInOrder) {
  ReadSamples samples;
  addReads(samples, kOne, 6);
  const ReadSamples::Kept kept = samples.take(kOne);
  EXPECT_EQ(kept.reads, 6U);
  EXPECT_EQ(offsetsIn(kept), (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5}));
  ASSERT_EQ(kept.groups.size(), 2U);
  EXPECT_EQ(kept.groups[0].size(), 4U);
  EXPECT_TRUE(samples.take(kAll).groups.empty());
}

TEST(ReadSamples, OfManyReadsGroupsAreDrawnFromAllOverTheRun) {
  ReadSamples samples;
  addReads(samples, kOne, 40000);
  const ReadSamples::Kept kept = samples.take(kOne);
  const std::vector<std::uint64_t> offsets = offsetsIn(kept);
  EXPECT_EQ(kept.reads, 40000U);
  ASSERT_EQ(offsets.size(), ReadSamples::kGroups * ReadSamples::kGroupReads);
  std::array<int, 4> quarters{};
  for (std::size_t n = 0; n < offsets.size(); ++n) {
    ++quarters.at(offsets[n] / 10000);
    EXPECT_EQ(offsets[n] % ReadSamples::kGroupReads, n % ReadSamples::kGroupReads);
  }
  for (const int drawn : quarters)
    EXPECT_GT(drawn, 16);
}

TEST(ReadSamples, AllProcessesDrawTheSame) {
  ReadSamples one, other;
  addReads(one, kOne, 1234); // these are its own
  addReads(one, kAll, 5000);
  addReads(other, kAll, 5000);
  EXPECT_EQ(offsetsIn(one.take(kAll)), offsetsIn(other.take(kAll)));
}

TEST(ReadSamples, OfALargeReadItIsKeptThatThereWasOne) {
  ReadSamples samples;
  const forerun_range large{0, ReadSamples::kMaxBytes + 1};
  samples.add(kOne, {&large, 1}, true);
  addReads(samples, kOne, 1);
  const ReadSamples::Kept kept = samples.take(kOne);
  ASSERT_EQ(kept.groups.at(0).size(), 2U);
  EXPECT_TRUE(kept.groups[0][0].isLarger);
  EXPECT_TRUE(kept.groups[0][0].ranges.empty());
  EXPECT_FALSE(kept.groups[0][1].isLarger);
}

TEST(BytesSeen, KnowsWhatWasReadBefore) {
  BytesSeen seen;
  const std::array<forerun_range, 2> ranges{{{0, 10}, {BytesSeen::kBlockBytes * 7, 10}}};
  EXPECT_FALSE(seen.addAll(ranges));
  EXPECT_TRUE(seen.addAll(ranges));
  const forerun_range longer{0, BytesSeen::kBlockBytes + 1};
  EXPECT_FALSE(seen.addAll({&longer, 1}));
  EXPECT_TRUE(seen.addAll({&longer, 1}));
}

TEST(Recording, CountsWhatCallsTakeAndWhatDriversDoOnlyInsideOfThem) {
  Recording recording;
  recording.enable(true, false);
  ReadSamples samples;
  FileStats &file = *recording.file("a");
  const forerun_range range{0, 4096};
  recording.noteCost(file, samples, kOne, {&range, 1}, true, 500, 0); // of a wait: MPI_Wait
  EXPECT_EQ(file.costs().ns, 0U);
  const std::uint64_t before = nowNs();
  recording.noteTimed(true);
  recording.noteCost(file, samples, kOne, {&range, 1}, true, 500, 0);
  recording.noteTimed(false);
  EXPECT_EQ(file.costs().ns, 500U);
  EXPECT_EQ(recording.calls(), 1U);
  EXPECT_LE(recording.callNs(), nowNs() - before);
  EXPECT_TRUE(samples.take(kOne).groups.at(0).at(0).isFirst);
}

TEST(Recording, AReadThatNobodyWaitsForIsOneFromTheFileSystem) {
  Recording recording;
  recording.enable(true, false);
  FileStats &file = *recording.file("a");
  recording.noteStarted(file, 0, 4096);
  const ReadFigures figures = file.figures({});
  EXPECT_EQ(figures.reads[static_cast<std::size_t>(Outcome::Miss)], 1U);
  EXPECT_EQ(figures.bytes[static_cast<std::size_t>(Outcome::Miss)], 4096U);
  EXPECT_EQ(figures.readNs, 0U);
}

TEST(Recording, WhatOthersBroughtWouldHaveBeenInTheSystemsCache) {
  Recording recording;
  recording.enable(true, false);
  ReadSamples samples;
  FileStats &file = *recording.file("a");
  const forerun_range range{0, 4096};
  recording.noteTimed(true);
  recording.noteRead(file, {Outcome::Hit, 4096, 0, 4096}, 0, 100);
  recording.noteCost(file, samples, kOne, {&range, 1}, true, 100, 0);
  recording.noteTimed(false);
  EXPECT_FALSE(samples.take(kOne).groups.at(0).at(0).isFirst);
}

} // namespace
} // namespace forerun

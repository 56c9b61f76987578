// SPDX-License-Identifier: Apache-2.0
#include "measure/ReadsAgain.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <span>
#include <vector>

namespace forerun {
namespace {

using Reads = std::span<const ReadSamples::Read>;

/// One read in each group, of so many bytes, each in one piece.
ReadSamples::Kept readsOf(const std::vector<std::uint64_t> &bytes) {
  ReadSamples::Kept kept;
  for (const std::uint64_t length : bytes)
    kept.groups.push_back({{{{0, length}}, true, false}});
  kept.reads = bytes.size();
  return kept;
}

bool always(const ReadsAgain::Price & /*price*/) { return true; }

std::uint64_t bytesIn(Reads group) { return ReadSamples::bytesOf(group.front().ranges); }

/// A request, and then so much for every byte.
std::uint64_t costOf(std::uint64_t bytes) { return 1'000'000 + 10 * bytes; }

/// Makes groups once more as long as there are any, and returns what of them was read.
std::vector<std::uint64_t> makeAll(ReadsAgain &reads) {
  std::vector<std::uint64_t> made;
  for (Reads group = reads.next(always); !group.empty(); group = reads.next(always)) {
    made.push_back(bytesIn(group));
    reads.took(costOf(made.back()));
  }
  return made;
}

ReadsAgain::Basis basisOf(const ReadsAgain &reads) {
  return reads.basis().value_or(ReadsAgain::Basis{});
}

TEST(ReadsAgain, AreSpreadOverAllWeights) {
  std::vector<std::uint64_t> bytes;
  for (std::uint64_t n = 0; n < 64; ++n)
    bytes.push_back(1 + n * 37 % 64);
  ReadsAgain reads(readsOf(bytes));
  const std::vector<std::uint64_t> made = makeAll(reads);
  EXPECT_EQ(made,
            (std::vector<std::uint64_t>{33, 49, 17, 57, 41, 25, 9, 61, 53, 45, 37, 29, 21, 13, 5}));
}

TEST(ReadsAgain, AFewOfThemTellWhatAllCost) {
  std::vector<std::uint64_t> bytes;
  std::uint64_t truth = 0;
  for (std::uint64_t n = 0; n < 60; ++n) { // half of them small, the others differ
    bytes.push_back(n % 2 == 0 ? 4096 : n * 100'000);
    truth += costOf(bytes.back());
  }
  ReadsAgain reads(readsOf(bytes));
  makeAll(reads);
  const ReadsAgain::Basis basis = basisOf(reads);
  EXPECT_EQ(basis.reads, 60U);
  EXPECT_EQ(basis.again, 15U);
  EXPECT_NEAR(basis.ns / static_cast<double>(truth), 1, 0.05);
}

TEST(ReadsAgain, StandForAllReadsOfTheProgramAlsoForThoseNotKept) {
  ReadSamples::Kept kept = readsOf({10, 10});
  kept.reads = 500;
  ReadsAgain reads(std::move(kept));
  makeAll(reads);
  EXPECT_NEAR(basisOf(reads).ns, 500.0 * static_cast<double>(costOf(10)), 1);
}

TEST(ReadsAgain, EndWhereTheNextOneIsNotWorthIt) {
  ReadsAgain reads(readsOf({1000, 1000, 1000, 1000}));
  std::vector<std::uint64_t> prices;
  const auto twoMilliseconds = [&](const ReadsAgain::Price &price) {
    prices.push_back(price.ns);
    return price.ns < 2'000'000;
  };
  ASSERT_FALSE(reads.next(twoMilliseconds).empty()) << "nothing is known yet: a guess";
  reads.took(5'000'000);
  EXPECT_TRUE(reads.next(twoMilliseconds).empty());
  EXPECT_EQ(prices, (std::vector<std::uint64_t>{10'000, 5'000'000}));
  EXPECT_EQ(basisOf(reads).ns, 20'000'000) << "they are alike";
}

/// The price of the next one.
ReadsAgain::Price priceOf(ReadsAgain &reads) {
  ReadsAgain::Price asked{};
  reads.next([&](const ReadsAgain::Price &price) {
    asked = price;
    return false;
  });
  return asked;
}

TEST(ReadsAgain, AreExpectedToTakeNoLongerThanSlowStorageForTheRest) {
  ReadsAgain reads(readsOf({8, 8, 1'000'000}));
  reads.next(always);
  reads.took(1'000'000);
  EXPECT_NEAR(static_cast<double>(priceOf(reads).ns), 11e6, 1e5);
}

TEST(ReadsAgain, SayWhatAllWouldHaveTakenWhileTheyAreTooFew) {
  ReadsAgain reads(readsOf({1, 10, 100, 1000}));
  EXPECT_EQ(priceOf(reads).wantedNs, 0U) << "nothing is known";
  reads.next(always);
  reads.took(7);
  EXPECT_EQ(priceOf(reads).wantedNs, 28U);
  EXPECT_EQ(priceOf(reads).spentNs, 7U);
  makeAll(reads);
  EXPECT_EQ(priceOf(reads).wantedNs, 0U) << "there are enough";
}

TEST(ReadsAgain, TooFewOfThemAreNoBasisWhereWeightsDiffer) {
  ReadsAgain reads(readsOf({1, 10, 100, 1000}));
  EXPECT_FALSE(reads.basis());
  for (int made = 0; made < 3; ++made) {
    EXPECT_FALSE(reads.basis());
    ASSERT_FALSE(reads.next(always).empty());
    reads.took(1);
  }
  EXPECT_TRUE(reads.basis());
}

TEST(ReadsAgain, AreChosenByTheWeightsThatTheyAreGiven) {
  ReadsAgain reads(readsOf({1, 2, 3, 4, 5}));
  ASSERT_EQ(reads.kept(ReadSamples::kGroupReads * 2)->ranges.front().length, 3U);
  EXPECT_EQ(reads.kept(1), nullptr) << "each group has one";
  reads.weigh(ReadSamples::kGroupReads * 4, 0); // 5, 1, 2, 3, 4
  EXPECT_EQ(bytesIn(reads.next(always)), 2U);
}

TEST(ReadsAgain, NeverIncludeOneThatAProcessCannotMake) {
  ReadSamples::Kept kept = readsOf({1, 2, 3});
  kept.groups[1].push_back({{}, true, true});
  ReadsAgain reads(std::move(kept));
  reads.weigh(0, ReadsAgain::kNever);
  EXPECT_EQ(makeAll(reads), (std::vector<std::uint64_t>{3}));
}

} // namespace
} // namespace forerun

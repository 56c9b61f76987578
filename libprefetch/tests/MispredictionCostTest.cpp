// SPDX-License-Identifier: Apache-2.0
#include "thread/MispredictionCost.h"

#include <gtest/gtest.h>
#include <vector>

using namespace forerun;

namespace {

constexpr int kSite = 5;
constexpr std::uint32_t kBefore = 1, kWrong = 2;

class MispredictionCostTest : public testing::Test {
protected:
  /// Announces what lies at these offsets, by calls one after another.
  void announce(const std::vector<std::uint64_t> &offsets, std::uint32_t prediction = 0) {
    for (const std::uint64_t offset : offsets) {
      Record record;
      record.call = {0, occurrence++};
      record.offset = offset;
      record.length = 10;
      record.prediction = prediction;
      cost.note(record);
    }
  }
  /// After the first \p kept calls the thread is put back.
  void goBack(std::uint64_t kept) {
    cost.begin(kSite, kWrong);
    occurrence = kept;
  }

  MispredictionCost cost;
  std::uint64_t occurrence = 0;
};

TEST_F(MispredictionCostTest, WhatIsAnnouncedAnewDidNoHarm) {
  announce({10, 20}, kBefore);
  announce({30, 40, 50}, kWrong);
  goBack(2);
  EXPECT_EQ(cost.site(), kSite);
  EXPECT_EQ(cost.verdict(), MispredictionCost::Verdict::Unknown);
  announce({30, 40});
  EXPECT_EQ(cost.verdict(), MispredictionCost::Verdict::Harmless);
}

TEST_F(MispredictionCostTest, NorDoesItIfOthersComeInBetween) {
  announce({30, 40, 50}, kWrong);
  goBack(0);
  announce({1, 2});
  EXPECT_EQ(cost.verdict(), MispredictionCost::Verdict::Unknown);
  announce({30, 3, 40, 4});
  EXPECT_EQ(cost.verdict(), MispredictionCost::Verdict::Harmless);
}

TEST_F(MispredictionCostTest, WhatIsSkippedWasHarm) {
  announce({30, 40, 50, 60}, kWrong);
  goBack(0);
  announce({60, 70});
  EXPECT_EQ(cost.verdict(), MispredictionCost::Verdict::Harmful);
}

TEST_F(MispredictionCostTest, WhatDoesNotComeAnewWasHarm) {
  announce({30, 40}, kWrong);
  goBack(0);
  announce(std::vector<std::uint64_t>(MispredictionCost::kExtra, 1));
  EXPECT_EQ(cost.verdict(), MispredictionCost::Verdict::Unknown);
  announce({1});
  EXPECT_EQ(cost.verdict(), MispredictionCost::Verdict::Harmful);
}

TEST_F(MispredictionCostTest, WhatIsTooLateToComeAnewSaysNothing) {
  announce({10, 20, 30, 40}, kWrong);
  goBack(2); // the main thread has passed the first two
  announce({30, 40});
  EXPECT_EQ(cost.verdict(), MispredictionCost::Verdict::Harmless);
  EXPECT_FALSE(cost.begin(kSite, kWrong)); // nothing depended on it
  EXPECT_EQ(cost.site(), -1);
  announce({50, 60}, kWrong);
  goBack(9);
  announce({90});
  EXPECT_EQ(cost.verdict(), MispredictionCost::Verdict::Moot);
}

TEST_F(MispredictionCostTest, WhatIsAskedForTooLateSaysNothing) {
  announce({10, 20}, kWrong);
  goBack(0);
  announce(std::vector<std::uint64_t>(2000, 10));
  EXPECT_EQ(cost.verdict(), MispredictionCost::Verdict::Moot);
}

TEST_F(MispredictionCostTest, WhatIsTooLongAgoSaysNothing) {
  std::vector<std::uint64_t> many(1000);
  for (std::size_t i = 0; i < many.size(); ++i)
    many[i] = 10 * i;
  announce(many, kWrong);
  goBack(0);
  announce(many);
  EXPECT_EQ(cost.verdict(), MispredictionCost::Verdict::Harmless);
  announce(many, kWrong + 1);
  announce(many, kWrong + 2);
  EXPECT_TRUE(cost.begin(kSite, kWrong + 1));
  EXPECT_EQ(cost.site(), -1);
}

} // namespace

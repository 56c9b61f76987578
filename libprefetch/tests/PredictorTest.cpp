// SPDX-License-Identifier: Apache-2.0
#include "thread/Predictor.h"

#include "channels/Withdrawals.h"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace forerun {
namespace {

template <class Number> void learn(Predictor &predictor, const std::vector<Number> &values) {
  for (const Number &each : values)
    predictor.learn({reinterpret_cast<const std::byte *>(&each), sizeof each, 0});
}

template <class Number> Number predicted(const Predictor &predictor, std::size_t ahead = 1) {
  Number result{};
  const Predictor::Bytes bytes = predictor.predict(ahead);
  EXPECT_EQ(predictor.bytes(), sizeof result);
  std::memcpy(&result, bytes.data(), sizeof result);
  return result;
}

/// Predicts by rule alone.
Predictor strict() {
  Predictor predictor;
  predictor.judge(MispredictionCost::Verdict::Harmful);
  return predictor;
}

TEST(PredictorTest, WhatStaysTheSameIsPredictedWhateverItIs) {
  Predictor number = strict(), one = strict(), nothing = strict();
  learn<double>(number, {2.5, 0.125, 0.125, 0.125});
  EXPECT_FALSE(number.isConfident());
  learn<double>(number, {0.125});
  ASSERT_TRUE(number.isConfident());
  EXPECT_EQ(predicted<double>(number, 40), 0.125);
  learn<char>(one, {1, 1, 1, 1});
  ASSERT_TRUE(one.isConfident());
  EXPECT_EQ(predicted<char>(one), 1);
  for (int n = 0; n < 4; ++n)
    nothing.learn({nullptr, 0, 0});
  EXPECT_TRUE(nothing.isConfident());
}

TEST(PredictorTest, WhatGoesOnByTheSameStepIsPredictedAsFarAsItHasBeenRight) {
  Predictor whole = strict(), floating = strict(), two = strict();
  learn<int>(whole, {10, 7, 4, 1});
  ASSERT_TRUE(whole.isConfident());
  EXPECT_EQ(predicted<int>(whole), -2);
  EXPECT_EQ(predicted<int>(whole, 3), -8);
  EXPECT_EQ(whole.reach(), 8U);
  learn<int>(whole, {-2});
  EXPECT_EQ(whole.reach(), 12U);
  learn<double>(floating, {1.5, 3, 4.5, 6});
  ASSERT_TRUE(floating.isConfident());
  EXPECT_EQ(predicted<double>(floating, 2), 9.0);
  using Pair = std::array<long, 2>;
  learn<Pair>(two, {{1, 9}, {2, 7}, {3, 5}, {4, 3}});
  ASSERT_TRUE(two.isConfident());
  EXPECT_EQ(predicted<Pair>(two), (Pair{5, 1}));
}

TEST(PredictorTest, WhatChangesIsNotPredicted) {
  Predictor number = strict(), size = strict(), large = strict();
  learn<long>(number, {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7});
  EXPECT_FALSE(number.isConfident());
  learn<int>(size, {1, 1, 1, 1});
  learn<long>(size, {1});
  EXPECT_FALSE(size.isConfident());
  using Large = std::array<char, Predictor::kMaxBytes + 1>;
  learn<Large>(large, {{}, {}, {}, {}, {}});
  EXPECT_FALSE(large.isConfident());
}

TEST(PredictorTest, EachWrongPredictionAsksForALongerRow) {
  Predictor predictor = strict();
  learn<int>(predictor, {1, 1, 1, 1});
  ASSERT_TRUE(predictor.isConfident());
  predictor.wasWrong();
  learn<int>(predictor, {2, 2, 2, 2, 2});
  EXPECT_FALSE(predictor.isConfident());
  learn<int>(predictor, {2});
  EXPECT_TRUE(predictor.isConfident());
  for (int n = 0; n < 10; ++n)
    predictor.wasWrong();
  learn<int>(predictor, std::vector(Predictor::kLongestRow - 10, 2));
  EXPECT_FALSE(predictor.isConfident());
  learn<int>(predictor, std::vector(Predictor::kLongestRow, 2));
  learn<int>(predictor, {3, 3, 3, 3}); // a long row has made up for it
  EXPECT_TRUE(predictor.isConfident());
}

TEST(PredictorTest, AWrongPredictionAfterManyRightOnesCostsNoConfidence) {
  Predictor predictor = strict();
  for (int value = 0; value < 20; ++value) {
    learn<int>(predictor, std::vector(12, value * value));
    ASSERT_TRUE(predictor.isConfident());
    predictor.wasWrong();
    EXPECT_TRUE(predictor.isConfident());
  }
}

TEST(PredictorTest, AfterAnInterruptionTheRunIsExpectedToBeginAgain) {
  Predictor predictor = strict();
  learn<int>(predictor, {1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0});
  ASSERT_TRUE(predictor.isConfident());
  EXPECT_EQ(predicted<int>(predictor, 3), 1);
  EXPECT_EQ(predictor.reach(), 4U); // as long as the shorter one
  learn<int>(predictor, {1, 1, 1});
  EXPECT_EQ(predictor.reach(), 1U);
  learn<int>(predictor, {1});
  EXPECT_EQ(predictor.reach(), 1U);
  learn<int>(predictor, {1, 1, 1, 1});
  EXPECT_EQ(predictor.reach(), 5U); // it has become longer by as much
  learn<int>(predictor, {0, 1, 1, 1, 1, 1, 0});
  EXPECT_TRUE(predictor.isConfident());
  EXPECT_EQ(predictor.reach(), 5U);
  learn<int>(predictor, {0, 0, 0, 0});
  EXPECT_EQ(predicted<int>(predictor), 0); // these are no interruptions
}

TEST(PredictorTest, RunsThatEndAreForgotten) {
  Predictor predictor = strict();
  learn<int>(predictor, {3, 3, 3, 3, 3, 3, 1, 3, 3, 3, 3, 3, 3, 2, 3, 3, 3, 3, 3, 100, 101});
  EXPECT_FALSE(predictor.isConfident());
  learn<int>(predictor, {102, 103, 104});
  ASSERT_TRUE(predictor.isConfident());
  EXPECT_EQ(predicted<int>(predictor), 105);
}

/// What is predicted from where it ends, without the confidence that may come with more.
std::vector<int> next(const Predictor &predictor, std::size_t count) {
  std::vector<int> result;
  for (std::size_t ahead = 1; ahead <= count; ++ahead)
    result.push_back(predicted<int>(predictor, ahead));
  return result;
}

TEST(PredictorTest, WhatComesInAPeriodIsExpectedAsItCame) {
  Predictor turns = strict(), runs = strict(), steps = strict();
  std::vector<int> period(62, 1);
  period.insert(period.end(), {2, 3});
  learn<int>(turns, {1, 0, 1, 0});
  EXPECT_FALSE(turns.isConfident());
  learn<int>(turns, {1, 0});
  ASSERT_TRUE(turns.isConfident());
  EXPECT_EQ(next(turns, 5), (std::vector{1, 0, 1, 0, 1}));
  for (int n = 0; n < 4; ++n)
    learn<int>(runs, {1, 1, 1, 1, 1, 1, 1, 0});
  EXPECT_EQ(next(runs, 9), (std::vector{1, 1, 1, 1, 1, 1, 1, 0, 1}));
  EXPECT_GE(runs.reach(), 64U);
  learn<int>(runs, {1, 1, 1}); // and from its middle
  EXPECT_EQ(next(runs, 6), (std::vector{1, 1, 1, 1, 0, 1}));
  learn<int>(runs, {0}); // that is too early
  EXPECT_FALSE(runs.isConfident());
  for (int n = 0; n < 4; ++n)
    learn<int>(steps, period);
  EXPECT_EQ(predicted<int>(steps, 63), 2);
  EXPECT_EQ(predicted<int>(steps, 64), 3);
  EXPECT_EQ(predicted<int>(steps, 65), 1);
}

TEST(PredictorTest, OfAPeriodThatWasNotKeptLongerOnesAreAskedFor) {
  Predictor predictor = strict();
  for (int n = 0; n < 3; ++n)
    learn<int>(predictor, {4, 7});
  ASSERT_TRUE(predictor.isConfident());
  for (int n = 0; n < 3; ++n)
    predictor.wasWrong();
  learn<int>(predictor, {4, 7, 9, 4, 7, 4, 7, 4, 7});
  EXPECT_FALSE(predictor.isConfident());
  for (int n = 0; n < 10; ++n)
    learn<int>(predictor, {4, 7});
  EXPECT_TRUE(predictor.isConfident());
}

TEST(PredictorTest, WithoutRunsNothingIsExpectedAfterAnotherValue) {
  Predictor turns = strict(), thirds = strict(), numbers = strict();
  learn<int>(thirds, {1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 0});
  EXPECT_FALSE(thirds.isConfident());
  learn<int>(turns, {1, 0, 1, 0, 0, 1, 0, 1, 1});
  EXPECT_FALSE(turns.isConfident());
  learn<double>(numbers, {0.5, 0.5, 0.25, 0.125, 0.75});
  EXPECT_FALSE(numbers.isConfident());
}

TEST(PredictorTest, UntilAPredictionWasWrongWhatComesMostOftenIsExpected) {
  Predictor predictor;
  learn<int>(predictor, {1});
  EXPECT_FALSE(predictor.isConfident());
  learn<int>(predictor, {0, 1, 1, 0, 1});
  ASSERT_TRUE(predictor.isConfident());
  EXPECT_EQ(predictor.reach(), Predictor::kFirstReach);
  EXPECT_EQ(predicted<int>(predictor), 1);
  learn<int>(predictor, {0, 0, 0, 1, 0, 0, 1});
  EXPECT_EQ(predicted<int>(predictor, 9), 0);
}

TEST(PredictorTest, WhereWrongPredictionsDoNoHarmItLooksFarAhead) {
  Predictor predictor;
  predictor.judge(MispredictionCost::Verdict::Moot);
  learn<int>(predictor, {1, 0, 1, 1, 0, 1, 1});
  EXPECT_EQ(predictor.reach(), Predictor::kFirstReach);
  predictor.judge(MispredictionCost::Verdict::Harmless);
  EXPECT_EQ(predictor.reach(), Predictor::kHarmlessReach);
  EXPECT_EQ(predictor.reach(5), 5U);
  learn<int>(predictor, std::vector(20, 1));
  EXPECT_GT(predictor.reach(), Predictor::kHarmlessReach); // by rule
  predictor.judge(MispredictionCost::Verdict::Harmful);
  learn<int>(predictor, {0, 1, 1, 0, 1, 0, 0, 1});
  EXPECT_FALSE(predictor.isConfident());
  for (int n = 0; n < 4; ++n)
    predictor.judge(MispredictionCost::Verdict::Harmless);
  EXPECT_TRUE(predictor.isConfident());
}

TEST(WithdrawalsTest, KnowTheirPredictions) {
  Withdrawals all;
  EXPECT_FALSE(all.has(0));
  all.add({3, 5});
  all.add({9, 9});
  for (const std::uint32_t each : {3U, 4U, 5U, 9U})
    EXPECT_TRUE(all.has(each)) << each;
  for (const std::uint32_t each : {0U, 1U, 2U, 6U, 8U, 10U})
    EXPECT_FALSE(all.has(each)) << each;
  for (std::uint32_t n = 10; !all.isFull(); ++n)
    all.add({2 * n, 2 * n});
  EXPECT_EQ(all.count(), Withdrawals::kMax);
}

} // namespace
} // namespace forerun

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
  Predictor number, one = strict(), nothing = strict();
  learn<double>(number, {2.5, 0.125, 0.125});
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

TEST(PredictorTest, EachWrongPredictionThatDidHarmAsksForLongerRows) {
  int needed = 0;
  for (const int wrong : {1, 2, 3, 4, 5, 6}) {
    Predictor predictor;
    for (int n = 0; n < wrong; ++n)
      predictor.judge(MispredictionCost::Verdict::Harmful);
    learn<long>(predictor, {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 7, 9, 3, 2, 3, 8});
    const int before = needed;
    for (needed = 0; !predictor.isConfident(); ++needed)
      learn<long>(predictor, {7});
    EXPECT_GT(needed, wrong <= 5 ? before : before - 1);
    EXPECT_LE(needed, 66);
  }
}

TEST(PredictorTest, AMissAfterManyThatWereRightCostsNoConfidence) {
  Predictor predictor = strict();
  for (int value = 0; value < 20; ++value) {
    learn<int>(predictor, std::vector(12, value * value));
    ASSERT_TRUE(predictor.isConfident());
    EXPECT_EQ(predicted<int>(predictor), value * value);
  }
}

TEST(PredictorTest, AfterAnInterruptionItGoesOnAtOnceIfItHasBefore) {
  Predictor predictor = strict();
  const auto loop = [&](int turns) {
    learn<int>(predictor, std::vector(turns, 1));
    learn<int>(predictor, {0});
  };
  loop(20);
  EXPECT_FALSE(predictor.isConfident());
  loop(15);
  loop(17);
  ASSERT_TRUE(predictor.isConfident());
  EXPECT_EQ(predicted<int>(predictor, 3), 1);
  EXPECT_EQ(predictor.reach(), 1U); // and farther as soon as that was right
  learn<int>(predictor, {1, 1});
  EXPECT_EQ(predictor.reach(), 8U);
  learn<int>(predictor, std::vector(12, 1));
  learn<int>(predictor, {0, 0});
  EXPECT_FALSE(predictor.isConfident()); // these are no interruptions
  learn<int>(predictor, std::vector(12, 0));
  ASSERT_TRUE(predictor.isConfident());
  EXPECT_EQ(predicted<int>(predictor), 0);
}

TEST(PredictorTest, AfterAChangeNothingIsCertainUntilItHasComeAgain) {
  Predictor predictor = strict();
  learn<int>(predictor, std::vector(20, 3));
  learn<int>(predictor, {5});
  EXPECT_FALSE(predictor.isConfident());
  learn<int>(predictor, {5, 5, 5});
  ASSERT_TRUE(predictor.isConfident());
  EXPECT_EQ(predicted<int>(predictor), 5);
  learn<int>(predictor, {100, 101, 102, 103, 104, 105, 106, 107});
  ASSERT_TRUE(predictor.isConfident());
  EXPECT_EQ(predicted<int>(predictor), 108);
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
  EXPECT_EQ(predicted<int>(runs), 1);
  for (int n = 0; n < 4; ++n)
    learn<int>(steps, period);
  EXPECT_EQ(predicted<int>(steps, 63), 2);
  EXPECT_EQ(predicted<int>(steps, 64), 3);
  EXPECT_EQ(predicted<int>(steps, 65), 1);
}

TEST(PredictorTest, APeriodThatWasNotKeptIsNotTrusted) {
  Predictor predictor = strict();
  for (int n = 0; n < 3; ++n)
    learn<int>(predictor, {4, 7});
  ASSERT_TRUE(predictor.isConfident());
  for (int n = 0; n < 2; ++n)
    predictor.judge(MispredictionCost::Verdict::Harmful);
  learn<int>(predictor, {9, 4, 7, 4, 7, 4, 7});
  EXPECT_FALSE(predictor.isConfident());
  for (int n = 0; n < 10; ++n)
    learn<int>(predictor, {4, 7});
  EXPECT_TRUE(predictor.isConfident());
}

TEST(PredictorTest, WhatIsIrregularIsNotPredictedWhereThatDoesHarm) {
  Predictor turns = strict(), thirds = strict(), numbers = strict();
  learn<int>(thirds, {1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 0});
  EXPECT_TRUE(thirds.isConfident()); // that a 1 comes after a 0
  learn<int>(thirds, {1});
  EXPECT_FALSE(thirds.isConfident());
  learn<int>(turns, {1, 0, 1, 0, 0, 1, 0, 1, 1});
  EXPECT_FALSE(turns.isConfident());
  learn<double>(numbers, {0.5, 0.5, 0.25, 0.125, 0.75});
  EXPECT_FALSE(numbers.isConfident());
}

TEST(PredictorTest, UntilAPredictionWasWrongWhatComesMostOftenIsSoonExpected) {
  Predictor predictor;
  learn<int>(predictor, {1});
  EXPECT_FALSE(predictor.isConfident());
  learn<int>(predictor, {1});
  ASSERT_TRUE(predictor.isConfident());
  EXPECT_EQ(predictor.reach(), Predictor::kHarmlessReach);
  learn<int>(predictor, {0, 1, 1, 1});
  ASSERT_TRUE(predictor.isConfident());
  EXPECT_EQ(predicted<int>(predictor, 9), 1);
}

TEST(PredictorTest, WhereWrongPredictionsDoNoHarmItLooksFarAhead) {
  Predictor predictor;
  learn<int>(predictor, {1, 0, 1, 1, 0, 0});
  EXPECT_FALSE(predictor.isConfident());
  predictor.judge(MispredictionCost::Verdict::Moot);
  EXPECT_FALSE(predictor.isConfident());
  predictor.judge(MispredictionCost::Verdict::Harmless);
  EXPECT_TRUE(predictor.isConfident());
  learn<int>(predictor, {1, 0, 1, 1, 0, 1, 1});
  EXPECT_EQ(predicted<int>(predictor), 1);
  EXPECT_EQ(predictor.reach(), Predictor::kHarmlessReach);
  EXPECT_EQ(predictor.reach(5), 8U); // two in a row
  learn<int>(predictor, std::vector(20, 1));
  EXPECT_GT(predictor.reach(), Predictor::kHarmlessReach);
  predictor.judge(MispredictionCost::Verdict::Harmful);
  learn<int>(predictor, {0, 1, 1, 0, 1, 0, 0, 1});
  EXPECT_FALSE(predictor.isConfident());
  for (int n = 0; n < 4; ++n)
    predictor.judge(MispredictionCost::Verdict::Harmless);
  EXPECT_TRUE(predictor.isConfident());
}

TEST(PredictorTest, StepsOfFloatingPointNumbersAreRoundedAsTheProgramRoundsThem) {
  Predictor predictor = strict();
  std::vector<double> values;
  for (int n = 0; n < 40; ++n) // past powers of two, where the step of an integer would change
    values.push_back(n * 0.25);
  learn(predictor, values);
  ASSERT_TRUE(predictor.isConfident());
  EXPECT_EQ(predicted<double>(predictor, 30), 69 * 0.25);
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

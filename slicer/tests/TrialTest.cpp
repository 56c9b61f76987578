// SPDX-License-Identifier: Apache-2.0
#include "slice/needs/Trial.h"

#include <gtest/gtest.h>
#include <set>

namespace forerun::slicer::testing {

namespace {

struct Trials : ::testing::Test {
  Trial trial;
  std::set<int> values;
  llvm::BitVector flags{8};
  std::vector<int> list;
  std::size_t counter = 0;

  void addAll(int each) {
    trial.insert(values, each);
    trial.set(flags, each);
    trial.append(list, each);
    trial.increment(counter);
  }
  void expectOnly(int each) const {
    EXPECT_EQ(values, std::set{each});
    EXPECT_EQ(flags.count(), 1U);
    EXPECT_TRUE(flags.test(static_cast<unsigned>(each)));
    EXPECT_EQ(list, std::vector{each});
    EXPECT_EQ(counter, 1U);
  }
};

TEST_F(Trials, WhatIsTakenBackLeavesWhatWasThereBefore) {
  addAll(1);
  trial.begin();
  addAll(2);
  addAll(3);
  trial.takeBack();
  expectOnly(1);
}

TEST_F(Trials, WhatWasThereBeforeIsNotTakenBackIfItIsAddedAgain) {
  addAll(1);
  trial.begin();
  EXPECT_FALSE(trial.insert(values, 1));
  EXPECT_FALSE(trial.set(flags, 1));
  trial.takeBack();
  expectOnly(1);
}

TEST_F(Trials, AnAttemptStaysIfItIsWorthIt) {
  addAll(1);
  EXPECT_FALSE(trial.attempt([&] { addAll(2); }, [&] { return values.size() < 2; }));
  expectOnly(1);
  EXPECT_TRUE(trial.attempt([&] { addAll(2); }, [&] { return values.size() == 2; }));
  EXPECT_EQ(values, (std::set{1, 2}));
}

TEST_F(Trials, WhatIsKeptIsNotTakenBackByTheNextTrial) {
  trial.begin();
  addAll(1);
  trial.keep();
  trial.begin();
  addAll(2);
  trial.takeBack();
  expectOnly(1);
}

} // namespace
} // namespace forerun::slicer::testing

// SPDX-License-Identifier: Apache-2.0
#include "courier/Window.h"

#include <gtest/gtest.h>

namespace forerun {
namespace {

class WindowTest : public testing::Test {
protected:
  WindowTest() { window_.setLeash(4, 100); }
  Progress progress_{2};
  Window window_;
};

TEST_F(WindowTest, SequencesFollowEachOther) {
  EXPECT_EQ(window_.enter({0, 0}), 1U);
  EXPECT_EQ(window_.enter({0, 1}), 2U);
  window_.retireAll();
  EXPECT_EQ(window_.enter({0, 2}), 3U);
}

TEST_F(WindowTest, RoomComesBackWithWhatRetires) {
  window_.charge(window_.enter({0, 0}), 60);
  window_.charge(window_.enter({0, 1}), 30);
  EXPECT_EQ(window_.roomBytes(), 10U);
  progress_.pass(0);
  window_.retirePassed(progress_);
  EXPECT_EQ(window_.roomBytes(), 70U);
  EXPECT_EQ(window_.size(), 1U);
}

TEST_F(WindowTest, ASmallerLeashLeavesNoRoom) {
  window_.charge(window_.enter({0, 0}), 60);
  window_.setLeash(1, 50);
  EXPECT_FALSE(window_.hasRoomForCall());
  EXPECT_EQ(window_.roomBytes(), 0U);
}

TEST_F(WindowTest, RetiresUpToTheLastPassedCallWithHoles) {
  window_.enter({1, 0}); // never made
  window_.noteTold(window_.enter({0, 0}), 7);
  window_.enter({0, 1});
  progress_.pass(0);
  const Window::Retired retired = window_.retirePassed(progress_);
  EXPECT_EQ(retired.upTo, 2U);
  EXPECT_EQ(retired.calls, 2U);
  EXPECT_EQ(retired.announcedCalls, 1U);
  EXPECT_EQ(retired.announcedBytes, 7U);
  EXPECT_EQ(window_.retirePassed(progress_).upTo, 0U);
}

TEST_F(WindowTest, CallsByHandDoNotRetireByThemselves) {
  window_.enter(CallId{});
  EXPECT_EQ(window_.retirePassed(progress_).upTo, 0U);
  EXPECT_EQ(window_.retireFront().upTo, 1U);
}

TEST_F(WindowTest, WhatHasLeftIsNotCharged) {
  const Sequence first = window_.enter({0, 0});
  window_.retireAll();
  window_.charge(first, 50);
  EXPECT_EQ(window_.roomBytes(), 100U);
  EXPECT_FALSE(window_.contains(first));
}

TEST_F(WindowTest, WhatHangsOnWrongPredictionsGivesItsPlaceBack) {
  for (std::uint32_t n = 0; n < 4; ++n)
    window_.charge(window_.enter({0, n}, n), 10);
  std::vector<Sequence> gone;
  window_.withdraw({2, 3}, [&](Sequence each) { gone.push_back(each); });
  EXPECT_EQ(gone, (std::vector<Sequence>{3, 4}));
  EXPECT_EQ(window_.size(), 2U);
  EXPECT_EQ(window_.roomBytes(), 80U);
  EXPECT_EQ(window_.enter({0, 2}, 4), 3U);
}

TEST_F(WindowTest, WhatIsWithdrawnInTheMiddleLeavesWithWhatIsBeforeIt) {
  for (std::uint32_t n = 0; n < 3; ++n)
    window_.enter({static_cast<int>(n % 2), n / 2}, n);
  window_.noteTold(2, 50);
  window_.withdraw({1, 1}, [](Sequence) {});
  EXPECT_EQ(window_.size(), 3U);
  progress_.pass(1); // its call, if it had stayed
  EXPECT_EQ(window_.retirePassed(progress_).calls, 0U);
  progress_.pass(0);
  progress_.pass(0);
  const Window::Retired retired = window_.retirePassed(progress_);
  EXPECT_EQ(retired.calls, 3U);
  EXPECT_EQ(retired.announcedCalls, 0U);
}

} // namespace
} // namespace forerun

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

} // namespace
} // namespace forerun

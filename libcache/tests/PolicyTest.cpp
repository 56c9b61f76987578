// SPDX-License-Identifier: Apache-2.0
// What every replacement policy must do, run on each; then what only one of them does.
#include "LruPolicy.h"
#include "policy/WindowPolicy.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace forerun;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

constexpr std::size_t kSlots = 16;

std::vector<Slot> victims(const Policy &policy, std::size_t count, Sequence neededAt = kNow,
                          const std::set<Slot> &busy = {}) {
  std::vector<Slot> chosen;
  policy.victims(count, neededAt, [&](Slot slot) { return busy.contains(slot); }, chosen);
  return chosen;
}

template <typename Tested> class EveryPolicy : public testing::Test {
protected:
  Tested policy{kSlots};
};
using Policies = testing::Types<LruPolicy, WindowPolicy>;
TYPED_TEST_SUITE(EveryPolicy, Policies);

TYPED_TEST(EveryPolicy, GivesUpNothingWhenItHoldsNothing) {
  EXPECT_THAT(victims(this->policy, 3), IsEmpty());
}

TYPED_TEST(EveryPolicy, WithoutAnnouncementsGivesUpTheLeastRecentlyRead) {
  for (const Slot slot : {3U, 1U, 2U})
    this->policy.insert(slot, 0);
  this->policy.touch(3);
  EXPECT_THAT(victims(this->policy, 3), ElementsAre(1, 2, 3));
}

TYPED_TEST(EveryPolicy, NeverGivesUpABusySlot) {
  for (Slot slot = 0; slot < 4; ++slot)
    this->policy.insert(slot, 0);
  EXPECT_THAT(victims(this->policy, 4, kNow, {0, 2}), ElementsAre(1, 3));
}

TYPED_TEST(EveryPolicy, GivesUpNoMoreThanItIsAskedAndForgetsNothingByAnswering) {
  for (Slot slot = 0; slot < 4; ++slot)
    this->policy.insert(slot, 0);
  EXPECT_THAT(victims(this->policy, 2), ElementsAre(0, 1));
  EXPECT_THAT(victims(this->policy, 2), ElementsAre(0, 1));
}

TYPED_TEST(EveryPolicy, NeverNamesASlotThatHoldsNothingOrNamesOneTwice) {
  std::mt19937 random(7);
  std::set<Slot> held;
  for (Sequence now = 1; now < 20'000; ++now) {
    const Slot slot = random() % kSlots;
    const Sequence next = random() % 3 == 0 ? 0 : now + random() % 50;
    if (!held.contains(slot)) {
      this->policy.insert(slot, next);
      held.insert(slot);
    } else if (random() % 3 == 0) {
      this->policy.erase(slot);
      held.erase(slot);
    } else if (random() % 2 == 0) {
      this->policy.touch(slot);
    } else {
      this->policy.announce(slot, next);
    }
    const std::vector<Slot> all = victims(this->policy, kSlots);
    ASSERT_EQ(std::set<Slot>(all.begin(), all.end()), held);
    ASSERT_EQ(all.size(), held.size());
  }
}

class Window : public EveryPolicy<WindowPolicy> {};

TEST_F(Window, GivesUpThePageWithTheLatestNextUse) {
  policy.insert(0, 30);
  policy.insert(1, 50);
  policy.insert(2, 40);
  EXPECT_THAT(victims(policy, 3), ElementsAre(1, 2, 0));
}

TEST_F(Window, NeverGivesUpAPageForOneThatIsNeededLater) {
  policy.insert(0, 30);
  policy.insert(1, 50);
  EXPECT_THAT(victims(policy, 2, 40), ElementsAre(1));
  EXPECT_THAT(victims(policy, 2, 50), IsEmpty());
  EXPECT_THAT(victims(policy, 2, kUnannounced), IsEmpty());
}

TEST_F(Window, GivesUpPagesReadForTheLastTimeFirstThenThoseItKnowsNothingOf) {
  policy.insert(0, 0);
  policy.insert(1, 10);
  policy.insert(2, 11);
  policy.insert(3, 12);
  policy.announce(2, 0);
  policy.announce(1, 0);
  EXPECT_THAT(victims(policy, 4), ElementsAre(2, 1, 0, 3));
}

TEST_F(Window, TakesAPageReadAgainAfterItsLastAnnouncedUseForUnknown) {
  policy.insert(0, 10);
  policy.insert(1, 0);
  policy.announce(0, 0);
  policy.touch(0);
  EXPECT_THAT(victims(policy, 2), ElementsAre(1, 0));
}

TEST_F(Window, KeepsASpentPageThatIsAnnouncedAgain) {
  policy.insert(0, 10);
  policy.insert(1, 20);
  policy.announce(0, 0);
  policy.announce(0, 15);
  EXPECT_THAT(victims(policy, 2), ElementsAre(1, 0));
}

} // namespace

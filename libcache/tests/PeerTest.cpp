// SPDX-License-Identifier: Apache-2.0
#include "PeerModel.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace forerun {
namespace {

using Kind = PeerMessage::Kind;

/// Rank 0 is the home of page 0, rank 1 of page 1, and so on.
class PeerTest : public testing::Test {
protected:
  PeerModel::Node &node(Rank rank) { return *model.nodes.at(rank); }
  unsigned asked(std::uint64_t page) {
    unsigned most = 0;
    for (const auto &[sector, times] : model.asked)
      if (sector.first == page)
        most = std::max(most, times);
    return most;
  }

  PeerModel model{3};
  std::minstd_rand random{1};
};

TEST_F(PeerTest, WhatOneHasFetchedAnotherGets) {
  node(1).want({0, 0}, 0xf);
  model.settle(random);
  node(2).want({0, 0}, 0xf);
  model.settle(random);
  EXPECT_EQ(node(2).present.size(), 4U);
  EXPECT_EQ(asked(0), 1U);
  EXPECT_EQ(node(2).peer.counts().arrivals, 1U);
  EXPECT_EQ(node(1).peer.counts().gives, 1U);
}

TEST_F(PeerTest, WhatAnotherFetchesIsAwaited) {
  node(1).want({0, 0}, 0xf);
  model.deliver(1, 0);
  node(2).want({0, 0}, 0xff);
  model.deliver(2, 0);
  model.deliver(0, 1); // Take, and Give
  EXPECT_EQ(node(1).fetches.size(), 1U);
  model.deliver(0, 2); // the half that nobody had
  ASSERT_EQ(node(2).fetches.size(), 1U);
  EXPECT_EQ(node(2).fetches[0].sectors, 0xf0U);
  model.settle(random);
  EXPECT_EQ(node(2).present.size(), 8U);
  EXPECT_EQ(asked(0), 1U);
}

TEST_F(PeerTest, ARemoteHitIsTwoExchangesAtMost) {
  node(1).want({0, 0}, 1);
  model.settle(random);
  const auto sent = [&] {
    std::uint64_t packets = 0;
    for (const auto &each : model.nodes)
      packets += each->peer.counts().packets;
    return packets;
  };
  const std::uint64_t before = sent();
  node(2).want({0, 0}, 1);
  model.settle(random);
  EXPECT_EQ(sent() - before, 4U); // Want, Give, Bytes; and Have, which nobody waits for
}

TEST_F(PeerTest, WhoseFetchIsWaitedForHastensIt) {
  node(1).want({0, 0}, 1);
  model.deliver(1, 0);
  node(2).want({0, 0}, 1);
  model.deliver(2, 0);
  model.deliver(0, 1);
  model.deliver(0, 1);
  EXPECT_EQ(node(1).hastened, 0U);
  node(2).peer.raise(1, 0);
  node(2).peer.flush();
  model.deliver(2, 0);
  model.deliver(0, 1);
  EXPECT_EQ(node(1).hastened, 1U);
}

TEST_F(PeerTest, WhatWasDroppedComesFromTheStorage) {
  node(1).want({0, 0}, 3);
  model.settle(random);
  node(1).present.erase({0, 1}); // and the home has not been told
  node(2).want({0, 0}, 3);
  model.settle(random);
  EXPECT_EQ(node(2).present.size(), 2U);
  EXPECT_EQ(model.asked.at({0, 0}), 1U);
  EXPECT_EQ(model.asked.at({0, 1}), 2U);
  EXPECT_EQ(node(1).peer.counts().lacks, 1U);
}

TEST_F(PeerTest, WhoWaitsTooLongAsksTheStorage) {
  node(1).want({0, 0}, 1);
  model.settle(random);
  model.now = 1000;
  node(2).want({0, 0}, 1);
  node(2).peer.giveUp(1000, 1000);
  EXPECT_TRUE(node(2).fetches.empty());
  node(2).peer.giveUp(1001, 1001);
  ASSERT_EQ(node(2).fetches.size(), 1U);
  model.settle(random); // the bytes come, too
  EXPECT_EQ(node(2).unasked, 0U);
  EXPECT_EQ(node(2).present.size(), 1U);
}

TEST_F(PeerTest, AHomeThatSaysNothingIsAskedForNothingUntilItDoes) {
  node(1).want({0, 0}, 1); // rank 0 is stopped
  node(1).peer.giveUp(1, 1);
  EXPECT_EQ(node(1).fetches.size(), 1U);
  node(1).want({3, 0}, 1);
  EXPECT_EQ(node(1).fetches.size(), 2U);
  node(1).want({2, 0}, 1); // the others are not
  EXPECT_EQ(node(1).fetches.size(), 2U);
  model.settle(random); // rank 0 goes on, and answers
  node(1).want({6, 0}, 1);
  EXPECT_EQ(node(1).fetches.size(), 0U);
  model.settle(random);
  EXPECT_EQ(node(1).present.size(), 4U);
}

TEST_F(PeerTest, WhoIsServedByOthersHasHeardOfTheirHome) {
  node(2).want({0, 0}, 1);
  model.settle(random);
  node(1).want({0, 0}, 1);
  model.settle(random);
  model.now = 1000;
  node(1).peer.giveUp(1000, 1000);
  node(1).want({3, 0}, 1);
  EXPECT_TRUE(node(1).fetches.empty());
}

TEST_F(PeerTest, BytesFromBeforeAnEpochAreNotGivenInIt) {
  node(1).want({0, 0}, 1);
  model.settle(random);
  ++model.version;
  for (const auto &each : model.nodes)
    each->beginEpoch(model.version);
  node(2).want({0, 0}, 1);
  model.settle(random);
  EXPECT_EQ(node(2).present.at({0, 0}), 1U);
  EXPECT_EQ(node(2).stale, 0U);
  EXPECT_EQ(node(1).peer.counts().gives, 0U);
}

TEST_F(PeerTest, ManyAskForAPageInTurn) {
  PeerModel more(7);
  for (Rank rank = 1; rank < 7; ++rank) {
    more.nodes[rank]->want({0, 0}, 1);
    more.settle(random);
  }
  std::uint64_t most = 0;
  for (const auto &each : more.nodes)
    most = std::max(most, each->peer.counts().gives);
  EXPECT_LE(most, 2U); // five gives, from those who had it then
}

TEST(PageDirectory, ForgetsTheOldestBeyondItsCapacity) {
  PageDirectory directory(10);
  for (std::uint64_t page = 0; page < 100; ++page)
    (void)directory.want(1, {.page = {page, 0}, .sectors = 1});
  EXPECT_EQ(directory.size(), 10U);
  EXPECT_EQ(directory.holders({99, 0}, 0, 1).size(), 1U);
  EXPECT_TRUE(directory.holders({89, 0}, 0, 1).empty());
}

TEST(PageDirectory, DropsAndWantsInTurnTakeNoMemory) {
  PageDirectory directory(10);
  for (unsigned i = 0; i < 1000; ++i) {
    (void)directory.want(1, {.page = {7, 0}, .sectors = 1});
    directory.drop({7, 0}, 1, 1);
  }
  EXPECT_EQ(directory.size(), 0U);
}

/// Random work of a few ranks on a few pages, with messages and fetches in arbitrary orders,
/// writes, epochs, evictions, hurry and impatience: everything wanted arrives once, and nothing is
/// too old.
class PeerStressTest : public testing::TestWithParam<unsigned> {};

TEST_P(PeerStressTest, WhatIsWantedComesOnceAndIsNewEnough) {
  std::minstd_rand random(GetParam() + 1);
  const Rank ranks = 2 + random() % 4;
  PeerModel model(ranks, PageDirectory(3 + random() % 5, 1 + random() % 3));
  const auto anyone = [&]() -> PeerModel::Node & { return *model.nodes[random() % ranks]; };
  for (unsigned turn = 0; turn < 3000; ++turn) {
    ++model.now;
    switch (random() % 16) {
    case 0:
    case 1:
    case 2:
    case 3:
      anyone().want({random() % 6, 0}, (random() % 15) + 1);
      break;
    case 4:
      anyone().evict(random() % 6);
      break;
    case 5:
      if (PeerModel::Node &node = anyone(); !node.wanted.empty()) {
        node.peer.raise(node.wanted.begin()->first, model.now);
        node.peer.flush();
      }
      break;
    case 6:
      if (random() % 8 == 0)
        anyone().peer.giveUp(model.now - random() % 50, model.now - random() % 200);
      break;
    case 7:
      if (random() % 8 == 0)
        ++model.version;
      break;
    case 8:
      if (random() % 16 == 0) {
        const std::uint32_t atBarrier = model.version;
        std::vector<PeerModel::Node *> order;
        for (const auto &each : model.nodes)
          order.push_back(each.get());
        std::ranges::shuffle(order, random);
        for (PeerModel::Node *each : order) {
          for (unsigned steps = random() % 8; steps > 0; --steps)
            model.step(random);
          each->beginEpoch(atBarrier);
          model.version += random() % 2; // who has passed may write
        }
      }
      break;
    default:
      model.step(random);
    }
  }
  model.settle(random);
  for (const auto &each : model.nodes) {
    EXPECT_TRUE(each->wanted.empty());
    EXPECT_EQ(each->stale, 0U);
    EXPECT_EQ(each->unasked, 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, PeerStressTest, testing::Range(0U, 300U));

} // namespace
} // namespace forerun

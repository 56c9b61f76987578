// SPDX-License-Identifier: Apache-2.0
#include "NodePoolFixture.h"

#include "forerun/Clock.h"
#include "pool/Claim.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <sched.h>
#include <set>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace forerun {
namespace {

constexpr Sectors kAll = ~Sectors{0} >> 48; ///< of a page of 64 KiB

class NodePoolTest : public testing::Test, public PoolOfThree {};

TEST_F(NodePoolTest, WhatOneMemberHoldsAnotherReads) {
  const Slot slot = show(*first, page(7), 100, kAll, 'x');
  const NodePool::Wanted wanted{page(7), kAll, 99};
  const NodePool::Found found = second->find(wanted);
  ASSERT_EQ(found.open, kAll);
  EXPECT_EQ(found.slot, slot);
  std::vector<char> bytes(4096);
  ASSERT_TRUE(second->read(slot, wanted, 4096, bytes.data(), bytes.size()));
  EXPECT_EQ(std::count(bytes.begin(), bytes.end(), 'x'), 4096);
  EXPECT_EQ(first->state(slot).used.load(), kAll);
  EXPECT_EQ(first->state(slot).pins.load(), 0);
}

TEST_F(NodePoolTest, WhatIsTooOldIsNotTrusted) {
  const Slot slot = show(*first, page(7), 100, kAll, 'x');
  EXPECT_EQ(second->find({page(7), kAll, 100}).all(), 0U);
  char byte = 0;
  EXPECT_FALSE(second->read(slot, {page(7), kAll, 100}, 0, &byte, 1));
  EXPECT_TRUE(second->read(slot, {page(7), kAll, 99}, 0, &byte, 1));
}

TEST_F(NodePoolTest, AnotherPageOrSectorIsNotFound) {
  const Slot slot = show(*first, page(7), 100, 1, 'x');
  char byte = 0;
  EXPECT_EQ(second->find({page(8), 1, 0}).all(), 0U);
  EXPECT_FALSE(second->read(slot, {page(8), 1, 0}, 0, &byte, 1));
  EXPECT_EQ(second->find({page(7), 2, 0}).all(), 0U);
  EXPECT_EQ(second->find({page(7), 3, 0}).all(), 1U);
  EXPECT_FALSE(second->read(slot, {page(7), 3, 0}, 0, &byte, 1));
  first->state(slot).coming = 2;
  EXPECT_EQ(second->find({page(7), 3, 0}).open, 1U);
  EXPECT_EQ(second->find({page(7), 3, 0}).coming, 2U);
}

TEST_F(NodePoolTest, OfSeveralFramesOfAPageThatIsFoundWhichHasMostOfTheSectors) {
  show(*first, page(7), 100, 1, 'x');
  const Slot other = show(*second, page(7), 100, 6, 'y');
  for (const Sectors sectors : {2U, 6U, 7U}) {
    const NodePool::Found found = third->find({page(7), sectors, 0});
    EXPECT_EQ(found.open, sectors & 6U);
    EXPECT_EQ(found.slot, other);
  }
  EXPECT_EQ(first->find({page(7), 1, 0}).all(), 0U) << "its own";
}

TEST_F(NodePoolTest, WhatIsWithdrawnIsNotFound) {
  const Slot slot = show(*first, page(7), 100, kAll, 'x');
  first->state(slot).open = 0;
  first->withdraw(slot);
  first->give(slot);
  EXPECT_EQ(second->find({page(7), kAll, 0}).all(), 0U);
  char byte = 0;
  EXPECT_FALSE(second->read(slot, {page(7), kAll, 0}, 0, &byte, 1));
}

TEST_F(NodePoolTest, MorePagesThanPlacesForThemCostTheHintOnly) {
  // All of these map to one set of slots.
  std::vector<PageKey> keys;
  for (std::uint64_t n = 0; keys.size() < 12; ++n)
    keys.push_back({n, page(7).low});
  for (const PageKey &key : keys)
    show(*first, key, 100, kAll, 'x');
  const auto isFound = [&](const PageKey &key) {
    return second->find({key, kAll, 0}).open == kAll;
  };
  EXPECT_EQ(std::ranges::count_if(keys, isFound), 8);
}

// ---- one budget ----

TEST_F(NodePoolTest, AMemberTakesWhatOthersDoNotUseButForTheirFloors) {
  std::size_t taken = 0;
  while (first->take())
    ++taken;
  EXPECT_EQ(taken, kFramesEach + 2 * (kFramesEach - kFramesEach / 4));
  EXPECT_FALSE(first->owes());
  for (std::size_t n = 0; n < kFramesEach / 4; ++n)
    EXPECT_TRUE(second->take()) << n;
  EXPECT_FALSE(second->take());
  EXPECT_TRUE(first->owes());
  EXPECT_FALSE(second->owes());
}

TEST_F(NodePoolTest, WhatIsGivenIsForWhoLacksIt) {
  std::vector<Slot> taken;
  while (const auto slot = first->take())
    taken.push_back(*slot);
  while (second->take()) {
  }
  ASSERT_TRUE(first->owes());
  first->give(taken.back());
  EXPECT_TRUE(second->take());
  EXPECT_FALSE(first->owes()) << "nobody is known to lack any more";
  EXPECT_FALSE(second->take());
  EXPECT_TRUE(first->owes());
}

TEST_F(NodePoolTest, FramesAreTakenAndGivenByThreadsAndNoneIsLostOrHasTwoHolders) {
  constexpr int kTurns = 20000;
  std::vector<std::atomic<int>> holders(3 * kFramesEach);
  std::atomic<bool> wrong{false};
  const auto work = [&](NodePool &pool, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Slot> mine;
    for (int turn = 0; turn < kTurns; ++turn) {
      if (mine.empty() || random() % 2 == 0) {
        if (const auto slot = pool.take()) {
          wrong = wrong || holders[*slot].fetch_add(1) != 0;
          mine.push_back(*slot);
        } else {
          wrong = wrong || mine.size() < kFramesEach / 4;
        }
      } else {
        std::swap(mine[random() % mine.size()], mine.back());
        holders[mine.back()].fetch_sub(1);
        pool.give(mine.back());
        mine.pop_back();
      }
    }
    for (const Slot slot : mine) {
      holders[slot].fetch_sub(1);
      pool.give(slot);
    }
  };
  std::thread one(work, std::ref(*first), 1), two(work, std::ref(*second), 2);
  work(*third, 3);
  one.join();
  two.join();
  EXPECT_FALSE(wrong);
  std::set<Slot> all;
  for (NodePool *pool : {first.get(), second.get(), third.get()})
    for (std::size_t n = 0; n < kFramesEach; ++n)
      if (const auto slot = pool->take())
        all.insert(*slot);
  EXPECT_EQ(all.size(), 3 * kFramesEach);
}

// ---- guests ----

TEST_F(NodePoolTest, AGuestFetchesIntoTheFrameOfAnother) {
  const Slot slot = show(*first, page(7), 100, 1, 'x');
  first->state(slot).taken = 1;
  const NodePool::Wanted wanted{page(7), 7, 0};
  EXPECT_TRUE(second->isHosted(wanted));
  const NodePool::Taken taken = second->beGuest(wanted);
  EXPECT_EQ(taken.slot, slot);
  EXPECT_EQ(taken.sectors, 6U);
  EXPECT_EQ(first->state(slot).pins.load(), 1);
  EXPECT_EQ(third->find(wanted).coming, 6U);
  EXPECT_EQ(third->beGuest(wanted).sectors, 0U) << "they are the second's";
  EXPECT_TRUE(second->endGuest(slot, 6, 2)); // one of them has come
  EXPECT_EQ(third->find(wanted).open, 3U);
  EXPECT_EQ(first->find(wanted).open, 2U) << "the holder finds what guests have brought";
  char byte = 0;
  EXPECT_TRUE(first->read(slot, {page(7), 2, 0}, 4096, &byte, 1));
  EXPECT_FALSE(first->read(slot, {page(7), 4, 0}, 8192, &byte, 1));
  EXPECT_EQ(first->state(slot).pins.load(), 0);
  EXPECT_EQ(third->beGuest(wanted).sectors, 4U) << "what has not come is there to be taken";
}

TEST_F(NodePoolTest, NobodyIsAGuestOfWhatIsHisOrTooOldOrGone) {
  const Slot slot = show(*first, page(7), 100, 0, 'x');
  EXPECT_EQ(first->beGuest({page(7), 1, 0}).sectors, 0U);
  EXPECT_FALSE(first->isHosted({page(7), 1, 0}));
  EXPECT_EQ(second->beGuest({page(7), 1, 100}).sectors, 0U);
  EXPECT_FALSE(second->isHosted({page(7), 1, 100}));
  EXPECT_EQ(second->beGuest({page(8), 1, 0}).sectors, 0U);
  first->withdraw(slot);
  EXPECT_EQ(second->beGuest({page(7), 1, 0}).sectors, 0U);
  EXPECT_FALSE(second->isHosted({page(7), 1, 0}));
  EXPECT_EQ(first->state(slot).pins.load(), 0);
}

TEST_F(NodePoolTest, AGuestIsToldThatThePageHasGone) {
  const Slot slot = show(*first, page(7), 100, 0, 'x');
  EXPECT_EQ(second->beGuest({page(7), 1, 0}).sectors, 1U);
  first->withdraw(slot);
  EXPECT_FALSE(second->endGuest(slot, 1, 1));
  char byte = 0;
  EXPECT_FALSE(third->read(slot, {page(7), 1, 0}, 0, &byte, 1)) << "it may be another's soon";
}

TEST_F(NodePoolTest, GuestsAndHoldersNeverShareASector) {
  constexpr int kTurns = 2000;
  constexpr Sectors kSectors = 15;
  std::array<std::atomic<int>, 4> users{};
  std::atomic<int> shared{0}, guests{0};
  std::atomic<bool> ended{false};
  const auto use = [&](Sectors sectors) {
    for (unsigned sector = 0; sector < users.size(); ++sector)
      if ((sectors >> sector & 1) != 0)
        shared += users[sector].fetch_add(1) == 0 ? 0 : 1;
    std::this_thread::yield();
    for (unsigned sector = 0; sector < users.size(); ++sector)
      if ((sectors >> sector & 1) != 0)
        --users[sector];
  };
  const auto visit = [&](const NodePool &pool, Sectors wanted) {
    while (!ended) {
      const NodePool::Taken taken = pool.beGuest({page(7), wanted, 0});
      if (taken.sectors == 0)
        continue;
      ++guests;
      use(taken.sectors);
      pool.endGuest(taken.slot, taken.sectors, taken.sectors & 1);
    }
  };
  std::thread one(visit, std::cref(*second), 7), other(visit, std::cref(*third), 14);
  for (int turn = 0; turn < kTurns || guests == 0; ++turn) {
    const Slot slot = first->take().value_or(0);
    first->publish(slot, page(7), 100);
    use(~first->state(slot).taken.fetch_or(9) & 9);
    std::this_thread::yield();
    first->withdraw(slot);
    while (first->state(slot).pins.load() != 0)
      std::this_thread::yield();
    use(kSectors); // the frame is the holder's alone now
    first->give(slot);
  }
  ended = true;
  one.join();
  other.join();
  EXPECT_EQ(shared, 0);
}

// ---- waiting ----

TEST_F(NodePoolTest, WhoWaitsIsWokenWhenTheBytesHaveCome) {
  const Slot slot = show(*first, page(7), 100, 0, 'x');
  first->state(slot).coming = kAll;
  std::thread waiter([&] { EXPECT_TRUE(second->await(slot, {page(7), kAll, 0})); });
  while (first->state(slot).waiters == 0)
    std::this_thread::yield();
  first->state(slot).open = kAll;
  first->state(slot).coming = 0;
  first->tellWaiters(slot);
  waiter.join();
}

TEST_F(NodePoolTest, WhoWaitsForWhatDoesNotComeIsTold) {
  const Slot slot = show(*first, page(7), 100, 0, 'x');
  first->state(slot).coming = kAll;
  std::thread waiter([&] { EXPECT_FALSE(second->await(slot, {page(7), kAll, 0})); });
  while (first->state(slot).waiters == 0)
    std::this_thread::yield();
  first->state(slot).coming = 0;
  first->tellWaiters(slot);
  waiter.join();
}

TEST_F(NodePoolTest, AMemberThatIsStoppedIsNotWaitedForForever) {
  const Slot slot = show(*first, page(7), 100, 0, 'x');
  first->state(slot).coming = kAll; // and the first member does nothing more
  for (int times = 0; times < 3; ++times)
    EXPECT_FALSE(second->await(slot, {page(7), kAll, 0}));
}

TEST_F(NodePoolTest, OneAtATimeDecidesWhoFetches) {
  // Since when each has a claim, from before it asked for it; 0: it has none. Both may have one only
  // if one of them has it for longer than a moment: then it had no core.
  std::array<std::atomic<std::uint64_t>, 2> since{};
  std::atomic<int> shared{0};
  const auto work = [&](NodePool &pool) {
    const unsigned self = pool.member();
    for (int turn = 0; turn < 2000; ++turn) {
      const std::uint64_t asked = nowNs();
      const Claim claim(pool, page(7));
      since[self] = asked;
      sched_yield();
      const std::uint64_t other = since[1 - self];
      if (other != 0 && nowNs() < std::min(asked, other) + Claim::kMomentNs)
        ++shared;
      since[self] = 0;
    }
  };
  std::thread one(work, std::ref(*first));
  work(*second);
  one.join();
  EXPECT_EQ(shared, 0);
}

// ---- many at once ----

TEST_F(NodePoolTest, WhatIsReadIsWholeAndOfThatPageWhateverTheHoldersDo) {
  constexpr int kTurns = 3000;
  constexpr std::uint64_t kPages = 6;
  std::atomic<bool> ended{false};
  std::atomic<int> wrong{0}, reads{0};
  const auto hold = [&](NodePool &pool, unsigned seed) {
    std::mt19937 random(seed);
    for (int turn = 0; turn < kTurns; ++turn) {
      const std::uint64_t index = random() % kPages;
      const auto slot = pool.take();
      if (!slot)
        continue;
      std::memset(pool.frame(*slot), static_cast<int>('a' + index), kPageBytes);
      pool.publish(*slot, page(index), 100);
      pool.state(*slot).open = kAll;
      std::this_thread::yield();
      pool.state(*slot).open = 0;
      while (pool.state(*slot).pins.load() != 0)
        std::this_thread::yield();
      pool.withdraw(*slot);
      pool.give(*slot);
    }
  };
  const auto read = [&](const NodePool &pool) {
    std::vector<char> bytes(kPageBytes);
    for (std::uint64_t index = 0; !ended; index = (index + 1) % kPages) {
      const NodePool::Wanted wanted{page(index), kAll, 0};
      const NodePool::Found found = pool.find(wanted);
      if (found.open != kAll || !pool.read(found.slot, wanted, 0, bytes.data(), bytes.size()))
        continue;
      ++reads;
      const auto expected = static_cast<char>('a' + index);
      wrong += std::ranges::count(bytes, expected) == static_cast<long>(kPageBytes) ? 0 : 1;
    }
  };
  std::thread reader(read, std::cref(*third)), other(hold, std::ref(*second), 2);
  hold(*first, 1);
  other.join();
  ended = true;
  reader.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(reads, 0);
}

// ---- joining ----

TEST_F(NodePoolTest, AMemberIsThereOnce) {
  EXPECT_EQ(first->join(1), nullptr);
  EXPECT_EQ(first->join(3), nullptr) << "there are three";
  EXPECT_TRUE(first->isAlive(2));
  third.reset();
  EXPECT_FALSE(first->isAlive(2));
  EXPECT_NE(first->join(2), nullptr);
}

TEST_F(NodePoolTest, LeavesNothingInTheFileSystem) {
  const std::string name = "/proc/self/fd/" + std::to_string(first->fd());
  std::array<char, 64> target{};
  ASSERT_GT(readlink(name.c_str(), target.data(), target.size() - 1), 0);
  EXPECT_STREQ(target.data(), "/memfd:forerun (deleted)");
}

TEST(NodePoolShapeTest, PagesOfMoreSectorsThanAWordHasAreNotPooled) {
  EXPECT_TRUE(NodePool::isPossible({2, 16, std::size_t{256} << 10}));
  EXPECT_FALSE(NodePool::isPossible({2, 16, std::size_t{512} << 10}));
  EXPECT_FALSE(NodePool::isPossible({0, 16, std::size_t{64} << 10}));
  EXPECT_FALSE(NodePool::isPossible({2, 0, std::size_t{64} << 10}));
}

TEST(FileKeyTest, TwoFilesOrPathsHaveTwoKeysAndSoHaveAllPages) {
  const FileIdentity identity{1, 2, "ufs"};
  const FileKey file(identity, "/data/a");
  EXPECT_EQ(file.page(3, 0), FileKey(identity, "/data/a").page(3, 0));
  EXPECT_NE(file.page(3, 0), file.page(4, 0));
  EXPECT_NE(file.page(3, 0), FileKey(identity, "/data/b").page(3, 0));
  EXPECT_NE(file.page(3, 0), file.page(3, 1)); // another name among nodes
  EXPECT_NE(file.page(3, 0), FileKey({1, 3, "ufs"}, "/data/a").page(3, 0));
  EXPECT_NE(file.page(3, 0), FileKey({2, 2, "ufs"}, "/data/a").page(3, 0));
  EXPECT_NE(file.page(3, 0), FileKey({1, 2, "nfs"}, "/data/a").page(3, 0));
}

} // namespace
} // namespace forerun

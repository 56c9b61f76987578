// SPDX-License-Identifier: Apache-2.0
#include "CacheFixture.h"
#include "InProcessTransport.h"
#include "SlowStorage.h"
#include "peers/PeerEngine.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <thread>
#include <vector>

namespace forerun {
namespace {

constexpr std::uint64_t kName = 6; ///< of two or three ranks, the first is its home
constexpr std::uint64_t kPagesOfFile = 16;
constexpr std::uint64_t kTail = 100; ///< bytes of the file after its last whole page
constexpr std::uint64_t kWhole = kPagesOfFile * kPage;
constexpr std::uint64_t kEnd = kWhole + kTail;

/// A process; without boxes, it asks no other nodes.
class Member {
public:
  Member(const std::shared_ptr<InProcessTransport::Boxes> &boxes, Rank self, std::size_t frames,
         std::unique_ptr<NodePool> pool = nullptr) {
    PageCache::Shared shared;
    shared.pool = std::move(pool);
    if (boxes != nullptr)
      shared.peers = {std::make_unique<InProcessTransport>(boxes, self), self,
                      static_cast<Rank>(boxes->size()),
                      (self + 1) % static_cast<Rank>(boxes->size())};
    cache = makeCache(frames, kPage, slowStorage, std::move(shared));
  }
  Member(const Member &) = delete;
  Member &operator=(const Member &) = delete;
  ~Member() {
    if (file != nullptr)
      cache->close(file);
  }
  void open(const Descriptor &descriptor, std::uint64_t name = kName) {
    forerun_rc rc = FORERUN_ERR_IO;
    file = cache->open(descriptor.source(), rc);
    EXPECT_EQ(rc, FORERUN_OK);
    cache->share(*file, name);
  }
  /// Waits for what is not here.
  std::vector<char> get(std::uint64_t offset, std::size_t length) {
    std::vector<char> bytes(length, '?');
    const ReadResult result = cache->readThrough(*file, bytes.data(), offset, length, 0);
    EXPECT_NE(result.outcome, Outcome::Miss);
    bytes.resize(result.bytes);
    return bytes;
  }
  CacheStats stats() const { return cache->stats(*file); }

  std::unique_ptr<PageCache> cache;
  CachedFile *file = nullptr;
};

class PagePeers : public testing::Test {
protected:
  PagePeers() { write(bytesOf(0, kEnd)); }
  void write(const std::vector<char> &content, std::uint64_t offset = 0) {
    ASSERT_EQ(
        pwrite(descriptor.source().fd, content.data(), content.size(), static_cast<off_t>(offset)),
        static_cast<ssize_t>(content.size()));
  }
  void start(Rank ranks, std::size_t frames = 64) {
    const auto boxes = InProcessTransport::boxes(ranks);
    for (Rank rank = 0; rank < ranks; ++rank)
      nodes.push_back(std::make_unique<Member>(boxes, rank, frames));
    for (const auto &node : nodes)
      node->open(descriptor);
  }

  const Descriptor descriptor;
  std::vector<std::unique_ptr<Member>> nodes;
};

TEST_F(PagePeers, WhatOneHasFetchedTheOthersGet) {
  start(3);
  EXPECT_EQ(nodes[0]->get(0, kWhole), bytesOf(0, kWhole));
  EXPECT_EQ(nodes[0]->stats().fetchedBytes, kWhole);
  EXPECT_EQ(nodes[0]->stats().peerBytes, 0U);
  for (Rank rank = 1; rank < 3; ++rank) {
    EXPECT_EQ(nodes[rank]->get(0, kWhole), bytesOf(0, kWhole));
    EXPECT_EQ(nodes[rank]->stats().fetchedBytes, 0U);
    EXPECT_EQ(nodes[rank]->stats().fetches, 0U);
    EXPECT_EQ(nodes[rank]->stats().peerBytes, kWhole);
  }
}

TEST_F(PagePeers, WhereTheFileEndsTheStorageSays) {
  start(2);
  for (const auto &node : nodes) {
    EXPECT_EQ(node->get(kWhole - 10, 1000), bytesOf(kWhole - 10, kTail + 10));
    EXPECT_EQ(node->get(kEnd - 1, 10), bytesOf(kEnd - 1, 1));
  }
}

TEST_F(PagePeers, WhoHasWrittenAsksTheStorage) {
  start(2);
  (void)nodes[0]->get(0, kWhole);
  write(bytesOf(kPage, kPage, 1), kPage);
  nodes[1]->cache->invalidate(*nodes[1]->file, kPage, kPage);
  EXPECT_EQ(nodes[1]->get(kPage, kPage), bytesOf(kPage, kPage, 1));
  EXPECT_EQ(nodes[1]->stats().peerBytes, 0U);
}

TEST_F(PagePeers, WhoHasWrittenAPageAsksOthersForAllButThat) {
  start(2);
  (void)nodes[0]->get(0, kWhole);
  write(bytesOf(kPage + 5, 1, 1), kPage + 5);
  nodes[1]->cache->invalidate(*nodes[1]->file, kPage + 5, 1);
  std::vector<char> expected = bytesOf(0, kWhole);
  expected[kPage + 5] = bytesOf(kPage + 5, 1, 1)[0];
  EXPECT_EQ(nodes[1]->get(0, kWhole), expected);
  EXPECT_EQ(nodes[1]->stats().peerBytes, kWhole - kPage);
}

TEST_F(PagePeers, BetweenItsOwnWritesAProcessAsksNobody) {
  start(2);
  (void)nodes[0]->get(0, kWhole);
  nodes[1]->cache->invalidate(*nodes[1]->file, kPage, 1);
  nodes[1]->cache->invalidate(*nodes[1]->file, 4 * kPage, kPage + 1);
  EXPECT_EQ(nodes[1]->get(0, kWhole), bytesOf(0, kWhole));
  EXPECT_EQ(nodes[1]->stats().peerBytes, kWhole - 5 * kPage);
}

TEST_F(PagePeers, WhoHasWrittenGivesWhatItHasAllTheSame) {
  start(2);
  (void)nodes[0]->get(0, kWhole);
  nodes[0]->cache->invalidate(*nodes[0]->file, 0, 1); // of that sector it has nothing now
  EXPECT_EQ(nodes[1]->get(0, kWhole), bytesOf(0, kWhole));
  EXPECT_EQ(nodes[1]->stats().peerBytes, kWhole - kSectorBytes);
}

TEST_F(PagePeers, AnEpochEndsIt) {
  start(2);
  (void)nodes[0]->get(0, kWhole);
  write(bytesOf(0, kWhole, 1));
  nodes[1]->cache->newEpoch(*nodes[1]->file, nullptr);
  EXPECT_EQ(nodes[1]->get(0, kWhole), bytesOf(0, kWhole, 1));
}

TEST_F(PagePeers, AFileThatIsOpenASecondTimeIsSharedNoMore) {
  start(2);
  (void)nodes[0]->get(0, kWhole);
  forerun_rc rc = FORERUN_OK;
  CachedFile *const again = nodes[1]->cache->open(descriptor.source(), rc);
  ASSERT_EQ(again, nodes[1]->file);
  nodes[1]->cache->share(*again, kName + 1);
  write(bytesOf(0, kWhole, 1));
  EXPECT_EQ(nodes[1]->get(0, kWhole), bytesOf(0, kWhole, 1));
  nodes[1]->cache->close(again);
}

TEST_F(PagePeers, OpenedAnewItHasAnotherName) {
  start(2);
  (void)nodes[0]->get(0, kWhole);
  nodes[1]->cache->close(nodes[1]->file);
  write(bytesOf(0, kWhole, 1));
  nodes[1]->open(descriptor, kName + 1);
  EXPECT_EQ(nodes[1]->get(0, kWhole), bytesOf(0, kWhole, 1));
  EXPECT_EQ(nodes[1]->stats().peerBytes, 0U);
}

/// Two processes of one node and one of another.
class PagePeersOfTwoNodes : public PagePeers {
protected:
  /// \p mateShares: with the other node, as the first one does.
  void startNodes(bool mateShares) {
    const auto boxes = InProcessTransport::boxes(3);
    auto pool = NodePool::create({2, kFrames, kPage});
    auto second = pool->join(1);
    nodes.push_back(std::make_unique<Member>(boxes, 0, kFrames, std::move(pool)));
    nodes.push_back(
        std::make_unique<Member>(mateShares ? boxes : nullptr, 1, kFrames, std::move(second)));
    nodes.push_back(std::make_unique<Member>(boxes, 2, kFrames));
    for (const auto &node : nodes)
      node->open(descriptor);
  }
  /// Like two processes of a node that read a page in pieces: one has the frame, the other is its
  /// guest.
  void readInPieces() {
    for (std::uint64_t offset = 0; offset < kWhole; offset += kSector)
      ASSERT_EQ(nodes[offset / kSector % 2]->get(offset, kSector), bytesOf(offset, kSector));
  }
  static constexpr std::size_t kFrames = 32;
};

TEST_F(PagePeersOfTwoNodes, WhatIsTooOldForAMateIsNotGivenToHim) {
  startNodes(false);
  Member &sharer = *nodes[0], &mate = *nodes[1], &far = *nodes[2];
  (void)far.get(0, kWhole);
  write(bytesOf(0, kWhole, 1));
  mate.cache->newEpoch(*mate.file, nullptr);
  EXPECT_EQ(sharer.get(0, kWhole), bytesOf(0, kWhole)); // it has begun no epoch
  EXPECT_EQ(sharer.stats().peerBytes, kWhole);
  EXPECT_EQ(mate.get(0, kWhole), bytesOf(0, kWhole, 1));
}

TEST_F(PagePeersOfTwoNodes, WhatAMateHasWrittenItDoesNotGetAsItWasBefore) {
  startNodes(true);
  Member &sharer = *nodes[0], &mate = *nodes[1], &far = *nodes[2];
  (void)far.get(0, kWhole);
  write(bytesOf(kPage, kPage, 1), kPage);
  mate.cache->invalidate(*mate.file, kPage, kPage);
  EXPECT_EQ(sharer.get(0, kWhole), bytesOf(0, kWhole)); // all of it from the other node
  std::vector<char> expected = bytesOf(0, kWhole);
  std::ranges::copy(bytesOf(kPage, kPage, 1), expected.begin() + kPage);
  EXPECT_EQ(mate.get(0, kWhole), expected);
  EXPECT_EQ(mate.stats().fetchedBytes, kPage); // the rest lies in the other's frames
}

TEST_F(PagePeersOfTwoNodes, WhatAGuestHasFetchedIsGivenToOtherNodes) {
  startNodes(true);
  readInPieces();
  EXPECT_EQ(nodes[2]->get(0, kWhole), bytesOf(0, kWhole));
  EXPECT_EQ(nodes[2]->stats().peerBytes, kWhole);
}

TEST_F(PagePeersOfTwoNodes, AGuestGetsFromOtherNodesWhatTheyHave) {
  startNodes(true);
  (void)nodes[2]->get(0, kWhole);
  readInPieces();
  EXPECT_EQ(nodes[0]->stats().peerBytes + nodes[1]->stats().peerBytes, kWhole);
}

TEST_F(PagePeers, WhoAnnouncesGetsItFromOthersToo) {
  start(2);
  (void)nodes[0]->get(0, kWhole);
  Member &node = *nodes[1];
  EXPECT_EQ(node.cache->prefetch(*node.file, 0, kWhole, 1), Announced::Accepted);
  std::vector<char> bytes(kWhole);
  EXPECT_NE(node.cache->read(*node.file, bytes.data(), 0, kWhole).outcome, Outcome::Miss);
  EXPECT_EQ(bytes, bytesOf(0, kWhole));
  EXPECT_EQ(node.stats().peerBytes, kWhole);
  EXPECT_EQ(node.stats().usefulBytes, kWhole);
}

/// All read everything, in orders of their own, with room for all or part of it, and one of them
/// closes its file and opens it again.
class PagePeersStress : public PagePeers, public testing::WithParamInterface<std::size_t> {};

TEST_P(PagePeersStress, BytesAreThoseOfTheFile) {
  constexpr Rank kRanks = 3;
  start(kRanks, GetParam());
  std::vector<std::thread> threads;
  for (Rank rank = 0; rank < kRanks; ++rank)
    threads.emplace_back([&, rank] {
      Member &node = *nodes[rank];
      std::minstd_rand random(rank + 1);
      for (int i = 0; i < 1500; ++i) {
        const std::uint64_t offset = random() % kEnd;
        const std::size_t length =
            std::min<std::uint64_t>(1 + random() % (2 * kPage), kEnd - offset);
        if (random() % 3 == 0)
          (void)node.cache->prefetch(*node.file, offset, length, 0);
        if (random() % 3 != 0) {
          ASSERT_EQ(node.get(offset, length), bytesOf(offset, length));
        }
        if (rank == 2 && i % 500 == 499) {
          node.cache->close(node.file);
          node.open(descriptor);
        }
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  std::uint64_t peerBytes = 0; // of any: one may have read all before the others begin
  for (const auto &node : nodes)
    peerBytes += node->stats().peerBytes;
  EXPECT_GT(peerBytes, 0U);
}

INSTANTIATE_TEST_SUITE_P(WithRoomForAll, PagePeersStress, testing::Values(64));
INSTANTIATE_TEST_SUITE_P(WithRoomForSome, PagePeersStress, testing::Values(6));

} // namespace
} // namespace forerun

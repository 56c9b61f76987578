// SPDX-License-Identifier: Apache-2.0
#include "peers/PeerEngine.h"
#include "CacheFixture.h"
#include "InProcessTransport.h"
#include "SlowStorage.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <thread>
#include <vector>

namespace forerun {
namespace {

constexpr std::uint32_t kFile = 7;
constexpr unsigned kSectorsPerPage = kPage / kSector;

/// What a rank has: sectors by their number in the file.
class Held {
public:
  void put(std::uint64_t offset, const char *bytes, std::size_t length) {
    const MutexLock lock(mutex_);
    for (std::size_t at = 0; at + kSector <= length; at += kSector)
      sectors_[(offset + at) / kSector].assign(bytes + at, bytes + at + kSector);
  }
  Sectors copy(const PeerPage &page, Sectors sectors, std::byte *to) {
    const MutexLock lock(mutex_);
    Sectors there = 0;
    for (unsigned sector = 0; sector < kSectorsPerPage; ++sector) {
      const auto found = sectors_.find(page.index * kSectorsPerPage + sector);
      if ((sectors >> sector & 1) == 0 || found == sectors_.end())
        continue;
      std::memcpy(to, found->second.data(), kSector);
      to += kSector;
      there |= Sectors{1} << sector;
    }
    return there;
  }
  Sectors evict(std::uint64_t page) {
    const MutexLock lock(mutex_);
    Sectors gone = 0;
    for (unsigned sector = 0; sector < kSectorsPerPage; ++sector)
      if (sectors_.erase(page * kSectorsPerPage + sector) != 0)
        gone |= Sectors{1} << sector;
    return gone;
  }

private:
  Mutex mutex_;
  std::map<std::uint64_t, std::vector<char>> sectors_ FORERUN_GUARDED_BY(mutex_);
};

/// A rank with an engine, over a storage that `MakeStorage` makes.
class Node {
public:
  struct Request {
    FetchRequest fetch;
    std::vector<char> buffer;
  };

  Node(const std::shared_ptr<InProcessTransport::Boxes> &boxes, Rank self,
       const PeerEngine::MakeStorage &makeStorage) {
    CacheConfig config;
    config.pageBytes = kPage;
    const auto ranks = static_cast<Rank>(boxes->size());
    PeerEngine::Peers peers{std::make_unique<InProcessTransport>(boxes, self), self, ranks,
                            (self + 1) % ranks};
    engine = PeerEngine::create(
        config, std::move(peers),
        [this](const PeerPage &page, std::uint32_t, Sectors sectors, std::byte *to) {
          return held.copy(page, sectors, to);
        },
        [this](FetchRequest &request) { completed(request); }, makeStorage);
  }

  Request &ask(FetchFile *file, std::uint64_t offset, std::size_t length, bool isShared = true) {
    requests.push_back(std::make_unique<Request>());
    Request &request = *requests.back();
    request.buffer.resize(length);
    request.fetch.file = file;
    request.fetch.offset = offset;
    request.fetch.length = length;
    request.fetch.buffer = request.buffer.data();
    if (isShared)
      request.fetch.peerPage = {offset / kPage, kFile};
    FetchRequest *const one = &request.fetch;
    engine->submit({&one, 1});
    return request;
  }
  void waitFor(std::size_t count) {
    MutexLock lock(mutex_);
    while (done_ < count)
      lock.wait(changed_);
  }
  std::size_t done() const {
    const MutexLock lock(mutex_);
    return done_;
  }

  Held held;
  std::vector<std::unique_ptr<Request>> requests;

private:
  void completed(FetchRequest &request) {
    if (request.rc == FORERUN_OK && request.peerPage.file != 0)
      held.put(request.offset, static_cast<const char *>(request.buffer), request.bytes);
    const MutexLock lock(mutex_);
    ++done_;
    changed_.notify_all();
  }

  mutable Mutex mutex_;
  std::condition_variable changed_;
  std::size_t done_ FORERUN_GUARDED_BY(mutex_) = 0;

public:
  std::unique_ptr<PeerEngine> engine; ///< last: it ends before what its completions use
};

/// Two ranks, each with a storage that the test controls.
class PeerEngineTest : public testing::Test {
protected:
  PeerEngineTest() {
    const auto boxes = InProcessTransport::boxes(2);
    for (Rank rank = 0; rank < 2; ++rank)
      nodes.push_back(std::make_unique<Node>(boxes, rank, [&](Completed completed) {
        auto made = std::make_unique<FakeEngine>(std::move(completed));
        made->content = bytesOf(0, 16 * kPage);
        storages.push_back(made.get());
        return made;
      }));
    for (const auto &node : nodes) {
      forerun_rc rc = FORERUN_OK;
      files.push_back(node->engine->openFile({}, rc));
    }
  }
  Node::Request &ask(Rank rank, std::uint64_t offset, std::size_t length) {
    return nodes[rank]->ask(files[rank], offset, length);
  }

  std::vector<FakeEngine *> storages;
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<FetchFile *> files;
};

TEST_F(PeerEngineTest, WhatOneHasFetchedTheOtherGets) {
  ask(0, 0, kPage);
  storages[0]->waitForSubmitted(1);
  storages[0]->finishAll();
  nodes[0]->waitFor(1);
  const Node::Request &request = ask(1, kSector, 2 * kSector);
  nodes[1]->waitFor(1);
  EXPECT_EQ(request.fetch.rc, FORERUN_OK);
  EXPECT_EQ(request.fetch.bytes, 2 * kSector);
  EXPECT_EQ(request.fetch.peerBytes, 2 * kSector);
  EXPECT_EQ(request.buffer, bytesOf(kSector, 2 * kSector));
  EXPECT_EQ(storages[1]->submitted(), 0U);
}

TEST_F(PeerEngineTest, HalvesThatEachLacksOfTheOtherAreGivenAsTheyCome) {
  ask(0, 0, 2 * kSector);
  storages[0]->waitForSubmitted(1);
  ask(1, 2 * kSector, 2 * kSector);
  storages[1]->waitForSubmitted(1);
  // Each wants what the other is fetching, and also something that nobody has.
  const Node::Request &first = ask(0, 2 * kSector, 2 * kSector);
  const Node::Request &second = ask(1, 0, 2 * kSector);
  storages[0]->finishAll();
  storages[1]->finishAll();
  nodes[0]->waitFor(2);
  nodes[1]->waitFor(2);
  EXPECT_EQ(first.buffer, bytesOf(2 * kSector, 2 * kSector));
  EXPECT_EQ(second.buffer, bytesOf(0, 2 * kSector));
  EXPECT_EQ(storages[0]->submitted() + storages[1]->submitted(), 2U);
}

TEST_F(PeerEngineTest, WhatHasComeInPartIsGivenFromTheBuffer) {
  // Rank 1 fetches the first sector; rank 0 wants two, awaits that one and fetches the other.
  ask(1, 0, kSector);
  storages[1]->waitForSubmitted(1);
  ask(0, 0, 2 * kSector);
  storages[0]->waitForSubmitted(1);
  storages[0]->finishAll();
  const Node::Request &request = ask(1, kSector, kSector); // it is not in rank 0's cache
  nodes[1]->waitFor(1);
  EXPECT_EQ(request.buffer, bytesOf(kSector, kSector));
  EXPECT_EQ(nodes[0]->done(), 0U);
  storages[1]->finishAll();
  nodes[0]->waitFor(1);
  nodes[1]->waitFor(2);
}

TEST_F(PeerEngineTest, AFetchThatFailsFailsForItsOwnerAlone) {
  const Node::Request &failed = ask(0, 0, kSector);
  storages[0]->waitForSubmitted(1);
  const Node::Request &other = ask(1, 0, kSector);
  storages[0]->fail(0);
  nodes[0]->waitFor(1);
  EXPECT_NE(failed.fetch.rc, FORERUN_OK);
  storages[1]->waitForSubmitted(1);
  storages[1]->finishAll();
  nodes[1]->waitFor(1);
  EXPECT_EQ(other.fetch.rc, FORERUN_OK);
  EXPECT_EQ(other.buffer, bytesOf(0, kSector));
}

TEST_F(PeerEngineTest, AShortFetchIsShort) {
  storages[0]->content.resize(kSector + 100);
  const Node::Request &request = ask(0, 0, kPage);
  storages[0]->waitForSubmitted(1);
  storages[0]->finishAll();
  nodes[0]->waitFor(1);
  EXPECT_EQ(request.fetch.bytes, kSector + 100);
  EXPECT_EQ(request.fetch.rc, FORERUN_OK);
}

TEST_F(PeerEngineTest, WhoIsWaitedForHastensItsFetch) {
  ask(0, 0, kSector);
  storages[0]->waitForSubmitted(1);
  Node::Request &request = ask(1, 0, kSector);
  nodes[1]->engine->raise(request.fetch);
  storages[0]->waitForRaised(1);
  storages[0]->finishAll();
  for (; nodes[1]->done() < 1; std::this_thread::yield())
    storages[1]->finishAll(); // it may have waited too long
}

TEST_F(PeerEngineTest, WhoGetsNoAnswerAsksTheStorage) {
  ask(0, 0, kSector);
  storages[0]->waitForSubmitted(1); // and nothing more comes from there
  Node::Request &request = ask(1, 0, kSector);
  nodes[1]->engine->raise(request.fetch);
  storages[1]->waitForSubmitted(1);
  storages[1]->finishAll();
  nodes[1]->waitFor(1);
  EXPECT_EQ(request.buffer, bytesOf(0, kSector));
  storages[0]->finishAll();
  nodes[0]->waitFor(1);
}

TEST_F(PeerEngineTest, WhatIsStoppedIsCompleted) {
  ask(0, 0, kSector);
  storages[0]->waitForSubmitted(1);
  const Node::Request &awaits = ask(1, 0, kSector);
  nodes[1]->engine->stop();
  EXPECT_EQ(nodes[1]->done(), 1U);
  EXPECT_EQ(awaits.fetch.rc, FORERUN_ERR_STOPPED);
  storages[0]->finishAll();
  nodes[0]->waitFor(1);
}

TEST_F(PeerEngineTest, WhereThereIsNoMemoryForTheProtocolTheStorageServes) {
  constexpr std::uint64_t kOther = BlockCyclic::kPagesOfBlock * kPage; // its home is rank 0
  const auto boxes = InProcessTransport::boxes(2);
  (*boxes)[0]->full = true; // rank 1 cannot speak to it
  Node node(boxes, 1, [&](Completed completed) {
    auto made = std::make_unique<FakeEngine>(std::move(completed));
    made->content = bytesOf(0, kOther + kPage);
    storages.push_back(made.get());
    return made;
  });
  forerun_rc rc = FORERUN_OK;
  FetchFile *const file = node.engine->openFile({}, rc);
  const Node::Request &own = node.ask(file, 0, kSector); // whose home it is itself
  storages.back()->waitForSubmitted(1);
  const Node::Request &failed = node.ask(file, kOther, kSector);
  node.waitFor(1);
  EXPECT_EQ(failed.fetch.rc, FORERUN_ERR_MEMORY);
  storages.back()->finishAll();
  node.waitFor(2);
  EXPECT_EQ(own.fetch.rc, FORERUN_OK);
  const Node::Request &later = node.ask(file, kOther, kSector);
  storages.back()->waitForSubmitted(2);
  storages.back()->finishAll();
  node.waitFor(3);
  EXPECT_EQ(later.fetch.rc, FORERUN_OK);
}

/// Whether rank 1 gets a sector that rank 0 has from there.
class PeerEngineCostTest : public PeerEngineTest {
protected:
  PeerEngineCostTest() {
    forerun_rc rc = FORERUN_OK;
    files[1] = nodes[1]->engine->openFile(file_.source(), rc);
    ask(0, 0, kSector);
    storages[0]->waitForSubmitted(1);
    storages[0]->finishAll();
    nodes[0]->waitFor(1);
  }
  /// The storage serves so many of rank 1's requests, for what others do not have.
  void fetch(unsigned count, std::uint64_t ns) {
    storages[1]->fetchNs = ns;
    for (unsigned i = 0; i < count; ++i) {
      ask(1, 2 * kPage + i % 2 * kSector, kSector);
      finish();
    }
  }
  bool comesFromOthers() {
    const Node::Request &request = ask(1, 0, kSector);
    finish();
    return request.fetch.peerBytes != 0;
  }

private:
  /// From wherever it comes.
  void finish() {
    for (++asked_; nodes[1]->done() < asked_; std::this_thread::yield())
      storages[1]->finishAll();
  }

  Descriptor file_;
  std::size_t asked_ = 0;
};

TEST_F(PeerEngineCostTest, OthersAreAskedUnlessTheStorageIsKnownToBeSooner) {
  EXPECT_TRUE(comesFromOthers());
  fetch(100, 1);
  while (comesFromOthers()) // the time that they take is not yet measured
    ;
  EXPECT_FALSE(comesFromOthers());
  fetch(100, 10'000'000'000);
  EXPECT_TRUE(comesFromOthers());
}

TEST_F(PeerEngineTest, WhatIsSharedWithNobodyGoesToTheStorageAtOnce) {
  const Node::Request &request = nodes[0]->ask(files[0], 0, kSector, false);
  storages[0]->finishAll();
  EXPECT_EQ(nodes[0]->done(), 1U);
  EXPECT_EQ(request.fetch.peerBytes, 0U);
}

/// Ranks that read a file in orders of their own, over real storage, evict and read again.
class PeerEngineStressTest : public testing::TestWithParam<bool> {};

TEST_P(PeerEngineStressTest, BytesAreThoseOfTheFile) {
  constexpr std::uint64_t kPages = 64;
  constexpr Rank kRanks = 4;
  const bool evicts = GetParam();
  const Descriptor file;
  const std::vector<char> content = bytesOf(0, kPages * kPage);
  ASSERT_EQ(pwrite(file.source().fd, content.data(), content.size(), 0),
            static_cast<ssize_t>(content.size()));
  const auto boxes = InProcessTransport::boxes(kRanks);
  std::vector<std::unique_ptr<Node>> nodes;
  for (Rank rank = 0; rank < kRanks; ++rank)
    nodes.push_back(std::make_unique<Node>(boxes, rank, [](Completed completed) {
      forerun_rc rc = FORERUN_OK;
      return slowStorage({}, std::move(completed), rc);
    }));
  std::atomic<std::uint64_t> wrong{0}, fromStorage{0};
  const auto work = [&](Rank rank) {
    Node &node = *nodes[rank];
    std::minstd_rand random(rank + 1);
    forerun_rc rc = FORERUN_OK;
    FetchFile *const opened = node.engine->openFile(file.source(), rc);
    std::vector<std::uint64_t> pages(kPages);
    for (std::uint64_t page = 0; page < kPages; ++page)
      pages[page] = page;
    for (int round = 0; round < (evicts ? 4 : 1); ++round) {
      std::ranges::shuffle(pages, random);
      for (const std::uint64_t page : pages) {
        const std::size_t first = random() % kSectorsPerPage * kSector;
        Node::Request &one = node.ask(opened, page * kPage, first == 0 ? kPage : first);
        if (random() % 4 == 0)
          node.engine->raise(one.fetch);
        if (first != 0)
          node.ask(opened, page * kPage + first, kPage - first);
        if (evicts && random() % 2 == 0) {
          const std::uint64_t other = random() % kPages;
          node.engine->dropped({other, kFile}, node.held.evict(other));
        }
      }
      node.waitFor(node.requests.size());
    }
    for (const auto &request : node.requests) {
      fromStorage += request->fetch.bytes - request->fetch.peerBytes;
      if (request->fetch.rc != FORERUN_OK ||
          request->buffer != bytesOf(request->fetch.offset, request->fetch.length))
        ++wrong;
    }
  };
  std::vector<std::thread> threads;
  for (Rank rank = 0; rank < kRanks; ++rank)
    threads.emplace_back(work, rank);
  for (std::thread &thread : threads)
    thread.join();
  std::uint64_t givenUp = 0;
  for (const auto &node : nodes)
    givenUp += node->engine->counts().givenUp;
  EXPECT_EQ(wrong, 0U);
  if (!evicts && givenUp == 0) {
    EXPECT_EQ(fromStorage, kPages * kPage); // each byte once
  }
}

INSTANTIATE_TEST_SUITE_P(Keeping, PeerEngineStressTest, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Evicting, PeerEngineStressTest, testing::Values(true));

} // namespace
} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#include "Explorer.h"
#include "cache/PageCache.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

/// \file
/// Two or three caches of a node, each with a file open, do a few things each, in every order: the
/// protocol of the pool, in its real code. Bytes of the file are a function of their offset and of
/// the file's version.

namespace forerun {
namespace {

constexpr std::size_t kPage = 2 * kSectorBytes;
constexpr std::uint64_t kSector = kSectorBytes;
constexpr std::size_t kFramesEach = 1; ///< that a process brings

char byteOf(std::uint64_t offset, unsigned version) {
  return static_cast<char>((offset / kSectorBytes) * 37 + 101 * version + 1);
}

/// Reads what it is told to when it is told to.
class TurnEngine final : public FetchEngine {
public:
  TurnEngine(Completed completed, Shared<unsigned> &version, std::size_t &fetched)
      : completed_(std::move(completed)), version_(version), fetched_(fetched) {}

  FetchFile *openFile(const FileSource &, forerun_rc &rc) override {
    rc = FORERUN_OK;
    return &file_;
  }
  void closeFile(FetchFile *) override {}
  void queue(std::span<FetchRequest *const> requests) override {
    queued_.insert(queued_.end(), requests.begin(), requests.end());
  }
  void submitAndRead(FetchRequest &request) override { finish(request); }
  void raise(FetchRequest &) override {}
  const char *name() const override { return "in turn"; }

  void finishAll() {
    while (!queued_.empty()) {
      FetchRequest &request = *queued_.front();
      queued_.erase(queued_.begin());
      finish(request);
    }
  }

private:
  void finish(FetchRequest &request) {
    const unsigned version = version_.load();
    std::vector<char> bytes(request.length);
    for (std::size_t at = 0; at < bytes.size(); at += kSectorBytes)
      std::fill_n(&bytes[at], kSectorBytes, byteOf(request.offset + at, version));
    explore::copy(request.buffer, bytes.data(), bytes.size(), request.buffer, true);
    request.bytes = request.length;
    request.rc = FORERUN_OK;
    fetched_ += request.length / kSectorBytes;
    completed_(request);
  }

  const Completed completed_;
  Shared<unsigned> &version_;
  std::size_t &fetched_;
  FetchFile file_;
  std::vector<FetchRequest *> queued_;
};

/// What the processes share besides the pool, in a frame of the pool that nobody ever gets.
struct World : explore::World {
  struct Process {
    TurnEngine *engine = nullptr;
    std::unique_ptr<PageCache> cache;
    CachedFile *file = nullptr;
    int lock = -1; ///< by which others know that it lives
    std::vector<char> buffer = std::vector<char>(2 * kPage);
  };
  using Script = std::function<void(World &, Process &)>;

  explicit World(const std::vector<Script> &theScripts) : scripts(theScripts) {
    const auto members = static_cast<unsigned>(scripts.size());
    // One more frame, for what they share besides the pool.
    pool = NodePool::create({members + 1, kFramesEach, kPage});
    own = pool->join(members);
    const Slot slot = own->take().value_or(0);
    version = new (own->frame(slot)) Shared<unsigned>(0);
    written = new (own->frame(slot) + kSectorBytes) Shared<unsigned>(0);
    first = pool->frame(0);
    for (unsigned member = 0; member < members; ++member)
      start(member == 0 ? std::move(pool) : own->join(member));
  }
  ~World() override {
    for (Process &process : all) {
      if (process.lock < 0)
        continue; // it may have died with its mutex
      process.engine->finishAll();
      process.cache->close(process.file);
    }
  }

  unsigned processes() const override { return static_cast<unsigned>(scripts.size()); }
  const std::byte *memory() const override { return first; }
  void run(unsigned process) override { scripts[process](*this, all[process]); }
  void die(unsigned process) override {
    // Its descriptor is closed with the process; here its mappings would keep the lock.
    struct flock lock{};
    lock.l_type = F_UNLCK;
    lock.l_whence = SEEK_SET;
    EXPECT_EQ(fcntl(std::exchange(all[process].lock, -1), F_OFD_SETLK, &lock), 0);
  }

  // ---- what a script is made of ----
  static void announce(Process &process, std::uint64_t offset, std::uint64_t length) {
    (void)process.cache->prefetch(*process.file, offset, length, 1);
  }
  static void finish(Process &process) { process.engine->finishAll(); }
  /// What is read is of one version, at least \p from; for a miss, the storage's version counts.
  void read(Process &process, std::uint64_t offset, std::size_t length, unsigned from = 0) {
    const ReadResult result =
        process.cache->read(*process.file, process.buffer.data(), offset, length);
    if (result.outcome == Outcome::Miss) {
      ++misses;
      return;
    }
    ++hits;
    EXPECT_EQ(result.bytes, length);
    for (std::size_t at = 0; at < length; at += kSectorBytes / 2) {
      bool isRight = false;
      for (unsigned any = from; any <= newest; ++any)
        isRight = isRight || process.buffer[at] == byteOf(offset + at, any);
      ASSERT_TRUE(isRight) << "at " << offset + at << ": " << int{process.buffer[at]};
    }
  }

  std::size_t framesInUse() const {
    std::size_t count = 0;
    for (std::size_t slot = 0; slot < own->shape().frames(); ++slot)
      count += own->state(static_cast<Slot>(slot)).live.load();
    return count;
  }

  std::vector<Script> scripts;
  std::unique_ptr<NodePool> pool, own;
  Shared<unsigned> *version, *written;
  const std::byte *first;
  std::vector<Process> all;
  std::size_t fetched = 0, hits = 0, misses = 0;
  unsigned newest = 0; ///< version

private:
  static FileSource source() {
    static const int kFd = memfd_create("explored", MFD_CLOEXEC);
    return {"explored", kFd, "ufs"};
  }
  void start(std::unique_ptr<NodePool> member) {
    Process process;
    process.lock = member->fd();
    CacheConfig config;
    config.pageBytes = kPage;
    config.capacityBytes = member->shape().framesEach * kPage;
    forerun_rc rc = FORERUN_OK;
    const auto make = [&](const CacheConfig &, Completed completed, forerun_rc &) {
      auto engine = std::make_unique<TurnEngine>(std::move(completed), *version, fetched);
      process.engine = engine.get();
      return engine;
    };
    process.cache = PageCache::create(config, make, rc, {.pool = std::move(member)});
    process.file = process.cache->open(source(), rc);
    all.push_back(std::move(process));
  }
};

/// How many times a turn is taken from a process that could continue; "all": every possible order.
unsigned preemptionsOfRun() {
  const char *given = std::getenv("FORERUN_PREEMPTIONS");
  if (given == nullptr)
    return 2;
  return std::strcmp(given, "all") == 0 ? ~0U : static_cast<unsigned>(std::atoi(given));
}

class ExploreTest : public testing::Test {
protected:
  using Process = World::Process;
  using Check = std::function<void(const World &)>;

  /// \p check: what holds at the end of every order.
  static void explore(const std::vector<World::Script> &scripts, const Check &check,
                      explore::Bounds bounds = {}) {
    struct Checked final : World {
      Checked(const std::vector<Script> &theScripts, const Check &theCheck)
          : World(theScripts), check(theCheck) {}
      void end() override { check(*this); }
      const Check &check;
    };
    bounds.preemptions = std::min(bounds.preemptions, preemptionsOfRun());
    const explore::Explored explored =
        explore::explore([&] { return std::make_unique<Checked>(scripts, check); }, bounds,
                         [] { return testing::Test::HasFailure(); });
    EXPECT_GT(explored.orders, 500U);
    std::cout << explored.orders << " orders, " << explored.states << " states\n";
  }
};

void useAll(World &world, World::Process &process) {
  World::announce(process, 0, kPage);
  World::finish(process);
  world.read(process, 0, kPage);
}

TEST_F(ExploreTest, APageThatTwoWantIsFetchedOnce) {
  explore({useAll, useAll}, [](const World &world) {
    EXPECT_EQ(world.fetched, 2U) << "sectors";
    EXPECT_EQ(world.hits, 2U);
  });
}

/// One sector, and then the page.
template <std::uint64_t Sector> void useOne(World &world, World::Process &process) {
  World::announce(process, Sector * kSector, kSector);
  World::finish(process);
  world.read(process, Sector * kSector, kSector);
}

TEST_F(ExploreTest, APageThatTwoWantInPiecesIsFetchedOnceAndNeedsOneFrame) {
  explore({useOne<0>, useOne<1>}, [](const World &world) {
    EXPECT_EQ(world.fetched, 2U);
    EXPECT_EQ(world.hits, 2U);
    EXPECT_EQ(world.framesInUse(), 1U);
  });
}

TEST_F(ExploreTest, WhereAFrameIsUsedAgainItsReadersGetWhatTheyAskedFor) {
  const auto evict = [](World &world, Process &process) {
    useOne<0>(world, process);
    process.cache->newEpoch(*process.file, nullptr);
    World::announce(process, kPage, kPage); // takes the same frame
    World::finish(process);
    world.read(process, kPage, kPage);
  };
  const auto readAll = [](World &world, Process &process) {
    useOne<1>(world, process);
    world.read(process, 0, kPage);
  };
  explore({evict, readAll}, [](const World &world) { EXPECT_GE(world.hits, 1U); });
}

/// The storage has the next version; the writer knows it, and tells the others.
void writeAll(World &world, World::Process &process) {
  ++world.newest;
  world.version->store(world.newest);
  process.cache->invalidate(*process.file, 0, kPage);
  world.written->store(world.newest);
}

void awaitWrite(World &world, World::Process &process) {
  while (world.written->load() == 0)
    explore::yield();
  process.cache->newEpoch(*process.file, nullptr);
}

TEST_F(ExploreTest, WhatWasWrittenBeforeOnesEpochIsRead) {
  const auto write = [](World &world, Process &process) {
    useOne<0>(world, process);
    writeAll(world, process);
    world.read(process, 0, kSector, 1);
  };
  const auto read = [](World &world, Process &process) {
    World::announce(process, 0, kPage);
    World::finish(process);
    awaitWrite(world, process);
    world.read(process, 0, kPage, 1);
    World::announce(process, 0, kPage);
    World::finish(process);
    world.read(process, 0, kPage, 1);
  };
  explore({write, read}, [](const World &world) { EXPECT_GE(world.hits, 1U); });
}

TEST_F(ExploreTest, AProcessMayDieAtAnyPoint) {
  // Time passes quickly, so that nobody is waited for long.
  const explore::Bounds bounds{.deaths = 1, .preemptions = 1, .tickNs = 100'000};
  const auto check = [](const World &world) { EXPECT_GE(world.hits + world.misses, 1U); };
  explore({useAll, useAll}, check, bounds);
  explore({useOne<0>, useOne<1>}, check, bounds);
}

TEST_F(ExploreTest, AClaimMayBeTakenFromWhoIsStopped) {
  // Time passes quickly: a short wait ends at once.
  explore({useAll, useAll},
          [](const World &world) {
            EXPECT_LE(world.fetched, 4U);
            EXPECT_EQ(world.hits, 2U);
          },
          {.tickNs = 100'000});
}

TEST_F(ExploreTest, ThreeUseAPage) {
  explore({useOne<0>, useOne<1>, useAll},
          [](const World &world) {
            EXPECT_EQ(world.fetched, 2U);
            EXPECT_EQ(world.hits, 3U);
          },
          {.preemptions = 0});
}

} // namespace
} // namespace forerun

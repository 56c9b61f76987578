// SPDX-License-Identifier: Apache-2.0
// Several threads read, write, prefetch, fill, cut and sync one file at random; every byte read is
// compared with a model of the file. FORERUN_SEED repeats a run's choices.
#include "ModelFile.h"
#include "ShuffledEngine.h"
#include "cache/PageCache.h"

#include <array>
#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <mutex>
#include <random>
#include <shared_mutex>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

using namespace forerun;

namespace {

constexpr std::uint64_t kFileBytes = ModelFile::kBlocks * ModelFile::kBlockBytes;

std::uint64_t seedOfThisRun() {
  const char *given = std::getenv("FORERUN_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
}

enum class Engine { Shuffled, Threads, IoUring };

struct Shape {
  Engine engine;
  std::size_t pageBytes;
  std::size_t frames;
};

class Stress : public testing::TestWithParam<Shape> {
protected:
  Stress() {
    std::cout << "seed " << seed_ << '\n';
    forerun_rc rc = FORERUN_OK;
    CacheConfig config;
    config.pageBytes = GetParam().pageBytes;
    config.capacityBytes = GetParam().pageBytes * GetParam().frames;
    config.engine = GetParam().engine == Engine::Threads ? IoEngine::Threads : IoEngine::IoUring;
    cache_ = PageCache::create(config, engineFactory(), rc);
    if (cache_)
      file_ = cache_->open({"stress", fd_, "ufs"}, rc);
  }
  ~Stress() override {
    if (file_ != nullptr)
      cache_->close(file_);
    cache_.reset();
    ::close(fd_);
  }

  PageCache::EngineFactory engineFactory() const {
    if (GetParam().engine != Engine::Shuffled)
      return FetchEngine::create;
    return [seed = seed_](const CacheConfig &, Completed completed, forerun_rc &rc) {
      rc = FORERUN_OK;
      return std::make_unique<ShuffledEngine>(std::move(completed), seed + 1000);
    };
  }

  struct Range {
    std::uint64_t offset;
    std::size_t length;
  };
  Range randomRange(std::mt19937_64 &random) const {
    const std::uint64_t offset = random() % kFileBytes;
    // Mostly within a page: what is read without the mutex.
    const std::array most{kFileBytes, 3 * GetParam().pageBytes, GetParam().pageBytes / 4};
    return {offset, random() % most[random() % most.size()]};
  }

  /// A read of the program, as the door does it: a miss goes to the file system and fills.
  std::string readOnce(std::mt19937_64 &random) {
    const std::shared_lock notCutting(cutting_);
    const auto [offset, length] = randomRange(random);
    std::vector<char> bytes(length + 1);
    const ModelFile::Snapshot before = model_.before();
    const std::uint64_t ticket = cache_->ticket(*file_);
    const ReadResult result = random() % 4 == 0
                                  ? cache_->readOrFetch(*file_, bytes.data(), offset, length)
                                  : cache_->read(*file_, bytes.data(), offset, length);
    std::size_t got = result.bytes;
    if (result.outcome == Outcome::Miss) {
      got = static_cast<std::size_t>(pread(fd_, bytes.data(), length, static_cast<off_t>(offset)));
      if (random() % 2 == 0)
        cache_->fill(*file_, ticket, bytes.data(), offset, got, got < length);
    }
    const std::string wrong = model_.check(before, offset, length, bytes.data(), got);
    return wrong.empty()
               ? wrong
               : wrong + (result.outcome == Outcome::Miss ? " (miss)" : " (served)") +
                     ", reading " + std::to_string(length) + " at " + std::to_string(offset);
  }

  std::string readThroughOnce(std::mt19937_64 &random) {
    const std::shared_lock notCutting(cutting_);
    const auto [offset, length] = randomRange(random);
    std::vector<char> bytes(length + 1);
    const ModelFile::Snapshot before = model_.before();
    const ReadResult result =
        cache_->readThrough(*file_, bytes.data(), offset, length, ++sequence_);
    if (result.outcome == Outcome::Miss)
      return {};
    const std::string wrong = model_.check(before, offset, length, bytes.data(), result.bytes);
    return wrong.empty() ? wrong : wrong + " (read through)";
  }

  void writeOnce(std::mt19937_64 &random) {
    const std::shared_lock notCutting(cutting_);
    const std::size_t first = random() % ModelFile::kBlocks;
    const std::size_t last = std::min<std::size_t>(first + 1 + random() % 24, ModelFile::kBlocks);
    const std::uint64_t offset = first * ModelFile::kBlockBytes;
    const std::uint64_t length = (last - first) * ModelFile::kBlockBytes;
    const bool blocking = random() % 8 != 0, isTold = random() % 2 != 0;
    std::vector<char> written;
    model_.write(
        first, last,
        [&](std::uint64_t at, const std::vector<char> &bytes) {
          written = bytes;
          if (!blocking)
            cache_->setVolatile(*file_, this, offset, length);
          EXPECT_EQ(pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(at)),
                    static_cast<ssize_t>(bytes.size()));
        },
        [&] {
          if (blocking && isTold)
            cache_->update(*file_, offset, written.data(), length);
          else if (blocking)
            cache_->invalidate(*file_, offset, length);
        });
  }

  void cutOnce(std::mt19937_64 &random) {
    const std::unique_lock nobodyElse(cutting_);
    const std::size_t blocks =
        random() % 2 == 0 ? model_.size() / ModelFile::kBlockBytes : random() % ModelFile::kBlocks;
    if (blocks * ModelFile::kBlockBytes <= model_.size()) {
      EXPECT_EQ(ftruncate(fd_, static_cast<off_t>(blocks * ModelFile::kBlockBytes)), 0);
      model_.truncate(blocks);
    }
    cache_->newEpoch(*file_, this);
  }

  void prefetchOnce(std::mt19937_64 &random) {
    const auto [offset, length] = randomRange(random);
    const Sequence use = ++sequence_;
    if (cache_->prefetch(*file_, offset, length, use) == Announced::Full)
      cache_->retire(use - random() % 8);
  }

  void run(unsigned thread, int steps) {
    std::mt19937_64 random(seed_ + thread);
    for (int step = 0; step < steps && !HasFailure(); ++step) {
      std::string wrong;
      const auto dice = random() % 64;
      if (dice < 26)
        wrong = readOnce(random);
      else if (dice < 54)
        prefetchOnce(random);
      else if (dice < 57)
        wrong = readThroughOnce(random);
      else if (dice < 62)
        writeOnce(random);
      else if (dice < 63)
        cache_->covered(*file_, random() % kFileBytes, 100);
      else if (random() % 4 == 0)
        cutOnce(random);
      EXPECT_EQ(wrong, "") << "seed " << seed_ << ", thread " << thread << ", step " << step;
    }
  }

  const std::uint64_t seed_ = seedOfThisRun();
  int fd_ = memfd_create("stress", MFD_CLOEXEC);
  ModelFile model_;
  std::shared_mutex cutting_; ///< held alone while the file is cut
  std::atomic<Sequence> sequence_{0};
  std::unique_ptr<PageCache> cache_;
  CachedFile *file_ = nullptr;
};

TEST_P(Stress, EveryByteReadIsTheFilesWhateverElseGoesOn) {
  if (!cache_)
    GTEST_SKIP() << "this engine does not work here";
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < 4; ++thread)
    threads.emplace_back([this, thread] { run(thread, 2000); });
  for (std::thread &thread : threads)
    thread.join();

  cache_->newEpoch(*file_, this); // what is still in flight arrives stale
  cache_->close(file_);
  file_ = nullptr;
  const CacheStats stats = cache_->stats();
  EXPECT_GT(stats.hits, 0U);
  EXPECT_GT(stats.late, 0U);
  EXPECT_GT(stats.misses, 0U);
  EXPECT_GT(stats.staleFetches, 0U);
  EXPECT_GE(stats.fetchedBytes, stats.usefulBytes + stats.uselessBytes);
  std::cout << "hits " << stats.hits << ", late " << stats.late << ", misses " << stats.misses
            << ", fetches " << stats.fetches << ", stale " << stats.staleFetches << ", failed "
            << stats.failedFetches << '\n';
}

INSTANTIATE_TEST_SUITE_P(Shapes, Stress,
                         testing::Values(Shape{Engine::Shuffled, 4096, 20},
                                         Shape{Engine::Shuffled, 16384, 6},
                                         Shape{Engine::Shuffled, 65536, 1},
                                         Shape{Engine::Threads, 16384, 8},
                                         Shape{Engine::IoUring, 16384, 8}));

} // namespace

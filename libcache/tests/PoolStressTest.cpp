// SPDX-License-Identifier: Apache-2.0
#include "CacheFixture.h"
#include "ShuffledEngine.h"

#include <algorithm>
#include <array>
#include <barrier>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <thread>

/// \file
/// Threads as the processes of a node, each with a cache of its own over one pool. In each round
/// one of them writes; after sync, barrier and sync all must read what it has written, whoever has
/// fetched it and whenever, as MPI-IO's consistency rules require.

namespace forerun {
namespace {

constexpr unsigned kRanks = 3;
constexpr std::uint64_t kBytes = 40 * kPage + 1234;
constexpr std::size_t kFramesEach = 6;

std::uint64_t seedOfRun() {
  const char *given = std::getenv("FORERUN_SEED");
  return given != nullptr ? std::stoull(given) : std::random_device()();
}

/// What the file contains. Written to by one, read by all, with barriers between.
using Content = std::vector<char>;

class Process {
public:
  Process(std::unique_ptr<NodePool> pool, const FileSource &source, Content &content,
          std::uint64_t seed)
      : content_(content), fd_(source.fd), random_(seed) {
    const auto make = [seed](const CacheConfig &, Completed completed, forerun_rc &rc) {
      rc = FORERUN_OK;
      return std::make_unique<ShuffledEngine>(std::move(completed), seed);
    };
    cache_ = makeCache(kFramesEach, kPage, make, {.pool = std::move(pool)});
    forerun_rc rc = FORERUN_OK;
    file_ = cache_->open(source, rc);
  }
  ~Process() { cache_->close(file_); }
  Process(const Process &) = delete;
  Process &operator=(const Process &) = delete;

  /// Writes some bytes, like a program that then synchronises.
  void write() {
    for (unsigned n = 0; n < 4; ++n) {
      const std::uint64_t offset = random_() % kBytes;
      const std::size_t length =
          std::min<std::uint64_t>(1 + random_() % (2 * kPage), kBytes - offset);
      for (std::size_t i = 0; i < length; ++i)
        content_[offset + i] = static_cast<char>(random_());
      EXPECT_EQ(pwrite(fd_, &content_[offset], length, static_cast<off_t>(offset)),
                static_cast<ssize_t>(length));
      if (random_() % 2 == 0)
        cache_->invalidate(*file_, offset, length);
      else
        cache_->update(*file_, offset, &content_[offset], length);
    }
    synchronise();
  }
  void synchronise() { cache_->newEpoch(*file_, nullptr); }

  void work(unsigned operations) {
    for (unsigned n = 0; n < operations; ++n) {
      const std::uint64_t offset = random_() % kBytes;
      const std::size_t length = 1 + random_() % (3 * kPage);
      switch (random_() % 6) {
      case 0:
      case 1:
        (void)cache_->prefetch(*file_, offset, length, ++sequence_);
        break;
      case 2:
        retired_ += random_() % (sequence_ - retired_ + 1);
        cache_->retire(retired_);
        break;
      case 3:
        check(offset, length,
              [&](void *to) { return cache_->readThrough(*file_, to, offset, length, 0); });
        break;
      default:
        check(offset, length, [&](void *to) { return cache_->read(*file_, to, offset, length); });
      }
    }
    cache_->retire(sequence_);
    retired_ = sequence_;
  }

  unsigned wrong = 0, served = 0;
  std::uint64_t elsewhere() const { return file_->hitsElsewhere.sum().hits; }

private:
  void check(std::uint64_t offset, std::size_t length,
             const std::function<ReadResult(void *)> &read) {
    std::vector<char> bytes(length);
    const ReadResult result = read(bytes.data());
    if (result.outcome == Outcome::Miss)
      return;
    ++served;
    const std::size_t there = std::min<std::uint64_t>(length, kBytes - offset);
    const bool isRight =
        result.bytes == there && std::equal(bytes.begin(), bytes.begin() + static_cast<long>(there),
                                            content_.begin() + static_cast<long>(offset));
    wrong += isRight ? 0 : 1;
  }

  Content &content_;
  const int fd_;
  std::mt19937_64 random_;
  std::unique_ptr<PageCache> cache_;
  CachedFile *file_ = nullptr;
  Sequence sequence_ = 0, retired_ = 0;
};

TEST(PoolStressTest, ProcessesReadWhatTheRulesOfConsistencyAllow) {
  constexpr unsigned kRounds = 150, kOperations = 40;
  const std::uint64_t seed = seedOfRun();
  SCOPED_TRACE("FORERUN_SEED=" + std::to_string(seed));
  const Descriptor descriptor;
  Content content(kBytes);
  ASSERT_EQ(pwrite(descriptor.source().fd, content.data(), kBytes, 0),
            static_cast<ssize_t>(kBytes));
  auto first = NodePool::create({kRanks, kFramesEach, kPage});
  std::array<std::unique_ptr<NodePool>, kRanks> pools = {nullptr, first->join(1), first->join(2)};
  pools[0] = std::move(first);
  std::barrier together(kRanks);
  std::array<unsigned, kRanks> wrong{}, served{};
  std::array<std::uint64_t, kRanks> elsewhere{};
  const auto run = [&](unsigned rank) {
    Process process(std::move(pools[rank]), descriptor.source(), content, seed + rank);
    together.arrive_and_wait();
    for (unsigned round = 0; round < kRounds; ++round) {
      if (round % kRanks == rank)
        process.write();
      together.arrive_and_wait();
      process.synchronise();
      process.work(kOperations);
      together.arrive_and_wait();
    }
    wrong[rank] = process.wrong;
    served[rank] = process.served;
    elsewhere[rank] = process.elsewhere();
    together.arrive_and_wait();
  };
  std::thread one(run, 1), two(run, 2);
  run(0);
  one.join();
  two.join();
  for (unsigned rank = 0; rank < kRanks; ++rank) {
    EXPECT_EQ(wrong[rank], 0U) << "of rank " << rank;
    EXPECT_GT(served[rank], kRounds) << "by rank " << rank;
    EXPECT_GT(elsewhere[rank], 0U) << "by rank " << rank;
  }
}

} // namespace
} // namespace forerun

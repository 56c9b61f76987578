// SPDX-License-Identifier: Apache-2.0
// The hit path against memcpy. Both copy requests at random from 32 MiB that were touched before
// and are mapped alike, into a buffer of the thread; what the cache adds is the difference.
#include "base/Mapping.h"
#include "forerun/Cache.h"
#include "forerun/Peers.h"
#include "pool/NodePool.h"

#include <benchmark/benchmark.h>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace forerun;

namespace {

constexpr std::size_t kRegionBytes = std::size_t{32} << 20;

/// Offsets of requests in the region, in an order that neither caches nor prefetchers know.
class Offsets {
public:
  Offsets(std::size_t requestBytes, int thread)
      : state_(static_cast<std::uint64_t>(thread) * 7919 + 1), requestBytes_(requestBytes) {}

  std::uint64_t next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return (state_ >> 33) % (kRegionBytes / requestBytes_) * requestBytes_;
  }

private:
  std::uint64_t state_;
  std::size_t requestBytes_;
};

/// A cache of the default configuration whose every page is present, or which finds them in another
/// one's frames.
class FullCache {
public:
  explicit FullCache(std::unique_ptr<Pool> pool = {}) {
    forerun_rc rc = FORERUN_OK;
    cache_ = Cache::create(kConfig, rc, std::move(pool), nullptr);
    file_ = cache_ ? cache_->open({"hit", storage(), "ufs"}, rc) : nullptr;
    if (file_ == nullptr)
      fail(forerun_rc_text(rc));
  }
  ~FullCache() { cache_->close(file_); }
  FullCache(const FullCache &) = delete;
  FullCache &operator=(const FullCache &) = delete;

  static constexpr CacheConfig kConfig{.capacityBytes = kRegionBytes};

  static void fail(const char *why) {
    std::cerr << "no cache: " << why << '\n';
    std::exit(1);
  }
  void fetchAll() {
    std::vector<char> bytes(kConfig.pageBytes);
    for (std::uint64_t offset = 0; offset < kRegionBytes; offset += bytes.size()) {
      cache_->prefetch(*file_, offset, bytes.size(), 1);
      cache_->read(*file_, bytes.data(), offset, bytes.size());
    }
  }
  bool hit(char *to, std::uint64_t offset, std::size_t length) {
    return cache_->read(*file_, to, offset, length).outcome == Outcome::Hit;
  }

private:
  static int storage() {
    static const int kFd = [] {
      const int made = memfd_create("hit", MFD_CLOEXEC);
      const std::vector<char> bytes(kRegionBytes, 'x');
      if (write(made, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
        fail("no room for what it caches");
      return made;
    }();
    return kFd;
  }

  std::unique_ptr<Cache> cache_;
  CachedFile *file_;
};

/// Two caches that share their frames; all pages are in the first one's.
struct TwoCaches {
  TwoCaches() {
    auto pool = NodePool::create(
        {2, kRegionBytes / FullCache::kConfig.pageBytes, FullCache::kConfig.pageBytes});
    if (pool == nullptr)
      FullCache::fail("no pool");
    auto second = pool->join(1);
    holder = std::make_unique<FullCache>(std::move(pool));
    other = std::make_unique<FullCache>(std::move(second));
    holder->fetchAll();
  }
  std::unique_ptr<FullCache> holder, other;
};

void countBytes(benchmark::State &state) {
  state.SetBytesProcessed(state.iterations() * state.range(0));
}

void memcpyOf(benchmark::State &state) {
  static Mapping region(kRegionBytes);
  if (state.thread_index() == 0)
    std::memset(region.base(), 'x', kRegionBytes);
  const auto length = static_cast<std::size_t>(state.range(0));
  const std::unique_ptr<char[]> to(new char[length]());
  Offsets offsets(length, state.thread_index());
  for ([[maybe_unused]] auto iteration : state) {
    std::memcpy(to.get(), region.base() + offsets.next(), length);
    benchmark::ClobberMemory();
  }
  countBytes(state);
}

void hitIn(FullCache &cache, benchmark::State &state) {
  const auto length = static_cast<std::size_t>(state.range(0));
  const std::unique_ptr<char[]> to(new char[length]());
  Offsets offsets(length, state.thread_index());
  for ([[maybe_unused]] auto iteration : state)
    if (!cache.hit(to.get(), offsets.next(), length))
      state.SkipWithError("not a hit");
  countBytes(state);
}

void hit(benchmark::State &state) {
  static FullCache cache;
  if (state.thread_index() == 0)
    cache.fetchAll();
  hitIn(cache, state);
}

TwoCaches &twoCaches() {
  static TwoCaches caches;
  return caches;
}
void hitInPool(benchmark::State &state) { hitIn(*twoCaches().holder, state); }
void hitOfAnother(benchmark::State &state) { hitIn(*twoCaches().other, state); }

#define FORERUN_BENCHMARK(name)                                                                    \
  BENCHMARK(name)->Arg(4 << 10)->Arg(64 << 10)->ThreadRange(1, 2)->UseRealTime()
FORERUN_BENCHMARK(memcpyOf);
FORERUN_BENCHMARK(hit);
FORERUN_BENCHMARK(hitInPool);
FORERUN_BENCHMARK(hitOfAnother);

} // namespace

BENCHMARK_MAIN();

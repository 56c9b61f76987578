// SPDX-License-Identifier: Apache-2.0
// The hit path against memcpy. Both copy requests at random from 32 MiB that were touched before
// and are mapped alike, into a buffer of the thread; what the cache adds is the difference.
#include "forerun/Cache.h"
#include "pages/FrameRegion.h"

#include <benchmark/benchmark.h>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>
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

/// A cache of the default configuration whose every page is present.
class FullCache {
public:
  FullCache() : fd_(memfd_create("hit", MFD_CLOEXEC)) {
    forerun_rc rc = FORERUN_OK;
    cache_ = Cache::create({.capacityBytes = kRegionBytes}, rc);
    file_ = cache_ ? cache_->open({"hit", fd_, "ufs"}, rc) : nullptr;
    if (file_ == nullptr) {
      std::cerr << "no cache: " << forerun_rc_text(rc) << '\n';
      std::exit(1);
    }
    const std::vector<char> bytes(kRegionBytes, 'x');
    cache_->fill(*file_, cache_->ticket(*file_), bytes.data(), 0, bytes.size(), false);
  }
  ~FullCache() {
    cache_->close(file_);
    ::close(fd_);
  }
  FullCache(const FullCache &) = delete;
  FullCache &operator=(const FullCache &) = delete;

  bool hit(char *to, std::uint64_t offset, std::size_t length) {
    return cache_->read(*file_, to, offset, length).outcome == Outcome::Hit;
  }

private:
  int fd_;
  std::unique_ptr<Cache> cache_;
  CachedFile *file_;
};

void countBytes(benchmark::State &state) {
  state.SetBytesProcessed(state.iterations() * state.range(0));
}

void memcpyOf(benchmark::State &state) {
  static FrameRegion region(kRegionBytes);
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

void hitOf(benchmark::State &state) {
  static FullCache cache;
  const auto length = static_cast<std::size_t>(state.range(0));
  const std::unique_ptr<char[]> to(new char[length]());
  Offsets offsets(length, state.thread_index());
  for ([[maybe_unused]] auto iteration : state)
    if (!cache.hit(to.get(), offsets.next(), length))
      state.SkipWithError("not a hit");
  countBytes(state);
}

BENCHMARK(memcpyOf)->Arg(4 << 10)->Arg(64 << 10)->ThreadRange(1, 2)->UseRealTime();
BENCHMARK(hitOf)->Arg(4 << 10)->Arg(64 << 10)->ThreadRange(1, 2)->UseRealTime();

} // namespace

BENCHMARK_MAIN();

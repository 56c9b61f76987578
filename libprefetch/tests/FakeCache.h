// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Cache.h"
#include "forerun/Mutex.h"

#include <atomic>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

/// \file
/// A Cache that records what it is told and holds nothing.

namespace forerun {

class CachedFile {
public:
  std::string path = "fake";
  int handles = 0;
};

class FakeCache : public Cache {
public:
  struct Told {
    const CachedFile *file;
    std::uint64_t offset, length;
    Sequence sequence;
    bool operator==(const Told &) const = default;
  };

  CacheConfig settings{};
  bool full = false; ///< every prefetch is refused
  bool allCovered = false;
  bool allResident = false;
  bool failReads = false;
  std::function<void()> duringRead = [] {};

  std::vector<Told> told() const {
    const MutexLock lock(mutex_);
    return told_;
  }
  std::vector<std::uint64_t> offsets() const {
    std::vector<std::uint64_t> offsets;
    for (const Told &one : told())
      offsets.push_back(one.offset);
    return offsets;
  }
  void share(CachedFile & /*file*/, std::uint64_t /*name*/) override {}
  /// Prefetches whose fetches left one by one.
  unsigned toldAlone() const { return toldAlone_; }
  unsigned epochs() const { return epochs_; }
  bool gathering() const { return gathering_; }
  Sequence retired() const {
    const MutexLock lock(mutex_);
    return retired_;
  }
  /// As if a fetch of the range had taken \p ns.
  void finish(CachedFile &file, std::uint64_t offset, std::uint64_t length, std::uint64_t ns) {
    observer_(
        FetchEvent{&file, offset, length, 0, 1'000, 1'000 + ns, FetchKind::Prefetch, FORERUN_OK});
  }

  CachedFile *open(const FileSource &source, forerun_rc &rc) override {
    rc = FORERUN_OK;
    auto *file = new CachedFile;
    file->path = source.path;
    return file;
  }
  void close(CachedFile *file, int /*fd*/ = -1) override { delete file; }
  Announced prefetch(CachedFile &file, std::uint64_t offset, std::uint64_t length,
                     Sequence sequence) override {
    const MutexLock lock(mutex_);
    if (full)
      return Announced::Full;
    told_.push_back({&file, offset, length, sequence});
    toldAlone_ += gathering_ ? 0 : 1;
    touch_ += file.handles; // of a file that has been closed: AddressSanitizer would say so
    return Announced::Accepted;
  }
  void gather() override { gathering_ = true; }
  void flush() override { gathering_ = false; }
  void retire(Sequence upTo) override {
    const MutexLock lock(mutex_);
    retired_ = upTo;
  }
  void withdraw(Sequence first, Sequence last) override { withdrawn.push_back({first, last}); }
  std::vector<std::pair<Sequence, Sequence>> withdrawn;
  ReadResult read(CachedFile &, void *, std::uint64_t, std::size_t) override {
    return {Outcome::Miss, 0, 0};
  }
  ReadResult readOrFetch(CachedFile &, void *, std::uint64_t, std::size_t) override {
    return {Outcome::Miss, 0, 0};
  }
  ReadResult readThrough(CachedFile &file, void *buffer, std::uint64_t offset, std::size_t length,
                         Sequence) override {
    duringRead();
    touch_ += file.handles;
    if (failReads)
      return {Outcome::Miss, 0, 0};
    std::memset(buffer, static_cast<int>(offset % 251), length);
    return {Outcome::Hit, length, 0};
  }
  bool covered(CachedFile &, std::uint64_t, std::uint64_t) override { return allCovered; }
  bool resident(const CachedFile &, std::uint64_t, std::uint64_t) const override {
    return allResident;
  }
  std::uint64_t ticket(CachedFile &) override { return 0; }
  void fill(CachedFile &, std::uint64_t, const void *, std::uint64_t, std::size_t, bool) override {}
  void invalidate(CachedFile &, std::uint64_t, std::uint64_t) override {}
  void update(CachedFile &, std::uint64_t, const void *, std::size_t) override {}
  void setVolatile(CachedFile &, Writer, std::uint64_t offset, std::uint64_t length) override {
    const MutexLock lock(mutex_);
    volatile_.push_back({nullptr, offset, length, 0});
  }
  std::vector<Told> volatileRanges() const { return volatile_; }
  void newEpoch(CachedFile &, Writer) override { ++epochs_; }
  void setAtomic(CachedFile &, bool) override {}
  CacheStats stats(const CachedFile &) const override { return {}; }
  CacheStats stats() const override { return {}; }
  const CacheConfig &config() const override { return settings; }
  const char *engineName() const override { return "fake"; }
  void endFetching() override {}
  const std::string &path(const CachedFile &file) const override { return file.path; }
  void onFetch(std::function<void(const FetchEvent &)> observer) override {
    observer_ = std::move(observer);
  }

private:
  std::atomic<unsigned> epochs_ = 0;
  mutable Mutex mutex_;
  unsigned toldAlone_ = 0; // these two: the courier's thread only
  bool gathering_ = false;
  std::vector<Told> told_, volatile_;
  Sequence retired_ = 0;
  int touch_ = 0;
  std::function<void(const FetchEvent &)> observer_ = [](const FetchEvent &) {};
};

} // namespace forerun

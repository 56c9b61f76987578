// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "FakeEngine.h"
#include "cache/PageCache.h"

#include <cstdlib>
#include <fcntl.h>
#include <future>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

/// \file
/// A small cache over a FakeEngine, with one file open.

namespace forerun {

inline constexpr std::uint64_t kPage = 16384; ///< four sectors
inline constexpr std::uint64_t kSector = kSectorBytes;

/// A descriptor of a file with its own identity; the FakeEngine never reads it.
class Descriptor {
public:
  Descriptor() : fd_(mkostemp(path_.data(), O_CLOEXEC)) {}
  ~Descriptor() {
    ::close(fd_);
    unlink(path_.c_str());
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;

  FileSource source() const { return {"somewhere/file", fd_, "ufs"}; }
  const std::string &path() const { return path_; }

private:
  std::string path_ = testing::TempDir() + "forerun-cache-XXXXXX";
  int fd_;
};

/// Byte \p offset of generation \p generation of the file.
inline char byteAt(std::uint64_t offset, unsigned generation = 0) {
  return static_cast<char>(((offset / 7) ^ (offset >> 12)) + 89 * generation);
}

inline std::vector<char> bytesOf(std::uint64_t offset, std::size_t length,
                                 unsigned generation = 0) {
  std::vector<char> bytes(length);
  for (std::size_t i = 0; i < length; ++i)
    bytes[i] = byteAt(offset + i, generation);
  return bytes;
}

/// A cache of \p frames pages with the test's engine.
inline std::unique_ptr<PageCache> makeCache(std::size_t frames, std::size_t pageBytes,
                                            const PageCache::EngineFactory &factory,
                                            PageCache::Shared shared = {}) {
  CacheConfig config;
  config.pageBytes = pageBytes;
  config.capacityBytes = frames * pageBytes;
  forerun_rc rc = FORERUN_ERR_IO;
  auto cache = PageCache::create(config, factory, rc, std::move(shared));
  EXPECT_EQ(rc, FORERUN_OK);
  return cache;
}

/// A cache over a FakeEngine, and the file that it has open.
struct FakedCache {
  FakeEngine *engine = nullptr;
  std::unique_ptr<PageCache> cache;
  CachedFile *file = nullptr;
  std::vector<char> buffer;

  void start(std::size_t frames, std::size_t pageBytes, std::unique_ptr<NodePool> pool = {}) {
    const auto make = [this](const CacheConfig &, Completed completed, forerun_rc &rc) {
      auto made = std::make_unique<FakeEngine>(std::move(completed));
      engine = made.get();
      rc = FORERUN_OK;
      return made;
    };
    cache = makeCache(frames, pageBytes, make, {.pool = std::move(pool)});
  }
  void open(const FileSource &source) {
    forerun_rc rc = FORERUN_ERR_IO;
    file = cache->open(source, rc);
    EXPECT_EQ(rc, FORERUN_OK);
  }
  void end() {
    engine->finishAll();
    if (file != nullptr)
      cache->close(file);
  }

  Announced prefetch(std::uint64_t offset, std::uint64_t length, Sequence sequence = 1) {
    return cache->prefetch(*file, offset, length, sequence);
  }
  /// Prefetches, and lets the fetch arrive.
  void bring(std::uint64_t offset, std::uint64_t length, Sequence sequence = 1) {
    EXPECT_EQ(prefetch(offset, length, sequence), Announced::Accepted);
    engine->finishAll();
  }
  ReadResult read(std::uint64_t offset, std::size_t length) {
    buffer.assign(length, '?');
    return cache->read(*file, buffer.data(), offset, length);
  }
  /// Reads in a thread of its own: for reads that have to wait.
  std::future<ReadResult> readAside(std::uint64_t offset, std::size_t length) {
    buffer.assign(length, '?');
    return std::async(std::launch::async, [this, offset, length] {
      return cache->read(*file, buffer.data(), offset, length);
    });
  }
  /// True if the last read returned what the file has there.
  bool brought(std::uint64_t offset, std::size_t length, unsigned generation = 0) const {
    const std::vector<char> expected = bytesOf(offset, length, generation);
    return std::equal(expected.begin(), expected.end(), buffer.begin());
  }
};

class CacheFixture : public testing::Test, protected FakedCache {
protected:
  /// \p frames: capacity in pages.
  explicit CacheFixture(std::size_t frames = 8, std::size_t pageBytes = kPage) {
    start(frames, pageBytes);
    write(0, std::max<std::size_t>(64 * kPage, 4 * pageBytes));
    open(descriptor.source());
  }
  ~CacheFixture() override { end(); }

  /// The storage's content becomes \p length bytes of \p generation from \p offset on; the file
  /// grows as it must.
  void write(std::uint64_t offset, std::size_t length, unsigned generation = 0) {
    if (engine->content.size() < offset + length)
      engine->content.resize(offset + length);
    const std::vector<char> bytes = bytesOf(offset, length, generation);
    std::ranges::copy(bytes, engine->content.begin() + static_cast<std::ptrdiff_t>(offset));
  }

  Outcome outcomeOf(std::uint64_t offset, std::size_t length) {
    return read(offset, length).outcome;
  }
  bool covered(std::uint64_t offset, std::uint64_t length) {
    return cache->covered(*file, offset, length);
  }
  CacheStats stats() const { return cache->stats(*file); }
  void fill(std::uint64_t offset, std::size_t length, bool endOfFile = false,
            unsigned generation = 0) {
    const std::vector<char> bytes = bytesOf(offset, length, generation);
    cache->fill(*file, cache->ticket(*file), bytes.data(), offset, length, endOfFile);
  }

  Descriptor descriptor;
};

} // namespace forerun

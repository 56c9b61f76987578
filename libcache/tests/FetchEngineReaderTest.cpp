// SPDX-License-Identifier: Apache-2.0
// Files without a descriptor: what the backend does with a reader that is slow, fails or returns
// little. What it has in common with all backends is tested in FetchEngineBackendTest.cpp.
#include "FetchEngineTestSupport.h"
#include "fetch/FetchEngine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

using namespace forerun;

namespace {

constexpr std::size_t kSector = 4096;

char byteAt(std::uint64_t offset) { return static_cast<char>(offset * 7 + offset / kSector); }

/// Calls a function of the test.
class Reader final : public FileReader {
public:
  using Read = std::function<ssize_t(std::span<const iovec>, std::uint64_t)>;
  explicit Reader(Read read) : read_(std::move(read)) {}

  ssize_t read(std::span<const iovec> buffers, std::uint64_t offset) override {
    return read_(buffers, offset);
  }

private:
  const Read read_;
};

/// Fills \p buffers with `byteAt`, up to \p max bytes.
ssize_t give(std::span<const iovec> buffers, std::uint64_t offset, std::size_t max = SIZE_MAX) {
  const std::uint64_t begin = offset;
  for (const iovec &buffer : buffers)
    for (std::size_t i = 0; i < buffer.iov_len && offset - begin < max; ++i, ++offset)
      static_cast<char *>(buffer.iov_base)[i] = byteAt(offset);
  return static_cast<ssize_t>(offset - begin);
}

class FetchEngineReader : public testing::Test {
protected:
  FetchEngineReader() {
    forerun_rc rc = FORERUN_OK;
    engine_ = FetchEngine::create({}, completions_.counter(), rc);
  }

  FetchFile *open(Reader::Read read) {
    forerun_rc rc = FORERUN_ERR_IO;
    FetchFile *file =
        engine_->openFile({"file", -1, "pvfs2", std::make_shared<Reader>(std::move(read))}, rc);
    EXPECT_EQ(rc, FORERUN_OK);
    return file;
  }

  /// Fetches \p count pieces of \p length bytes, \p stride apart, all at once.
  const std::vector<FetchRequest> &fetch(FetchFile *file, std::size_t count, std::size_t length,
                                         std::uint64_t stride) {
    requests_.assign(count, {});
    memory_.assign(count * length, '\0');
    std::vector<FetchRequest *> all;
    for (std::size_t i = 0; i < count; ++i) {
      requests_[i].file = file;
      requests_[i].offset = i * stride;
      requests_[i].length = length;
      // In reverse order: what adjoins in the file does not adjoin in memory.
      requests_[i].buffer = memory_.data() + (count - 1 - i) * length;
      all.push_back(&requests_[i]);
    }
    engine_->submit(all);
    completions_.waitFor(static_cast<unsigned>(count));
    return requests_;
  }

  static bool isRight(const FetchRequest &request) {
    for (std::size_t i = 0; i < request.bytes; ++i)
      if (static_cast<const char *>(request.buffer)[i] != byteAt(request.offset + i))
        return false;
    return true;
  }

  Completions completions_;
  std::unique_ptr<FetchEngine> engine_;
  std::vector<FetchRequest> requests_;
  std::vector<char> memory_;
};

TEST_F(FetchEngineReader, ManyReadsAreUnderWayTogether) {
  constexpr unsigned kTogether = 32; // as many as the configuration allows
  Mutex mutex;
  std::condition_variable changed;
  unsigned inside = 0;
  // Nobody returns before all are there.
  FetchFile *file = open([&](std::span<const iovec> buffers, std::uint64_t offset) {
    MutexLock lock(mutex);
    ++inside;
    changed.notify_all();
    while (inside < kTogether)
      lock.wait(changed);
    return give(buffers, offset);
  });
  for (const FetchRequest &request : fetch(file, kTogether, kSector, std::uint64_t{1} << 20)) {
    EXPECT_EQ(request.bytes, kSector);
    EXPECT_TRUE(isRight(request));
  }
  engine_->closeFile(file);
}

TEST_F(FetchEngineReader, NeighboursComeWithOneRead) {
  std::atomic<unsigned> reads = 0;
  std::atomic<std::size_t> buffersAtOnce = 0;
  FetchFile *file = open([&](std::span<const iovec> buffers, std::uint64_t offset) {
    ++reads;
    buffersAtOnce = buffers.size();
    return give(buffers, offset);
  });
  for (const FetchRequest &request : fetch(file, 4, kSector, kSector)) {
    EXPECT_EQ(request.bytes, kSector);
    EXPECT_TRUE(isRight(request));
  }
  EXPECT_EQ(reads, 1U);
  EXPECT_EQ(buffersAtOnce, 4U);
  engine_->closeFile(file);
}

TEST_F(FetchEngineReader, AReaderThatGivesLittleIsAskedForTheRest) {
  FetchFile *file = open([](std::span<const iovec> buffers, std::uint64_t offset) {
    return give(buffers, offset, 1000);
  });
  for (const FetchRequest &request : fetch(file, 4, kSector, kSector)) {
    EXPECT_EQ(request.bytes, kSector);
    EXPECT_TRUE(isRight(request));
  }
  engine_->closeFile(file);
}

TEST_F(FetchEngineReader, WhatCameBeforeAnErrorIsGood) {
  FetchFile *file = open([](std::span<const iovec> buffers, std::uint64_t offset) {
    return offset == 0 ? give(buffers, offset, kSector + 10) : ssize_t{-ECONNREFUSED};
  });
  const auto &requests = fetch(file, 2, kSector, kSector);
  EXPECT_EQ(requests[0].rc, FORERUN_OK);
  EXPECT_TRUE(isRight(requests[0]));
  EXPECT_EQ(requests[1].rc, FORERUN_ERR_IO);
  EXPECT_EQ(requests[1].bytes, 10U);
  EXPECT_TRUE(isRight(requests[1]));
  engine_->closeFile(file);
}

TEST_F(FetchEngineReader, WithoutMemoryAReadFailsWithItsOwnError) {
  FetchFile *file = open([](std::span<const iovec>, std::uint64_t) { return ssize_t{-ENOMEM}; });
  EXPECT_EQ(fetch(file, 1, kSector, kSector).front().rc, FORERUN_ERR_MEMORY);
  engine_->closeFile(file);
}

TEST_F(FetchEngineReader, IsGivenUpWhenItsFileIsClosed) {
  auto reader = std::make_shared<Reader>(
      [](std::span<const iovec> buffers, std::uint64_t offset) { return give(buffers, offset); });
  const std::weak_ptr<Reader> watched = reader;
  forerun_rc rc = FORERUN_OK;
  FetchFile *file = engine_->openFile({"file", -1, "pvfs2", std::move(reader)}, rc);
  fetch(file, 1, kSector, kSector);
  EXPECT_FALSE(watched.expired());
  engine_->closeFile(file);
  EXPECT_TRUE(watched.expired());
}

} // namespace

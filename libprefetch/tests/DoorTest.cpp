// SPDX-License-Identifier: Apache-2.0
#include "calls/DoorTable.h"
#include "calls/TheProcess.h"
#include "forerun/prefetch.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

// The door as an MPI-IO would use it, over the real cache and a file in a temporary directory.

namespace forerun {
namespace {

constexpr std::size_t kFileBytes = 1 << 20;

char byteAt(std::uint64_t offset) { return static_cast<char>(offset * 7 + offset / 4096); }

/// Reads through a descriptor, in the form that a file system without descriptors provides.
struct ReaderOf {
  explicit ReaderOf(int fd) : descriptor(fd) {}

  forerun_reader asGiven() {
    return {.read = read, .release = release, .context = this, .file_system = 1, .file = 2};
  }

  const int descriptor;
  std::atomic<bool> fails = false;
  std::atomic<unsigned> reads = 0, released = 0;

private:
  static int64_t read(void *context, const iovec *buffers, int count, std::uint64_t offset) {
    auto &self = *static_cast<ReaderOf *>(context);
    ++self.reads;
    if (self.fails)
      return -EIO;
    return preadv(self.descriptor, buffers, count, static_cast<off_t>(offset));
  }
  static void release(void *context) { ++static_cast<ReaderOf *>(context)->released; }
};

using testing::HasSubstr;

class DoorTest : public testing::Test {
protected:
  DoorTest() {
    path_ = testing::TempDir() + "forerun-door-XXXXXX";
    fd_ = mkstemp(path_.data());
    std::vector<char> bytes(kFileBytes);
    for (std::size_t n = 0; n < bytes.size(); ++n)
      bytes[n] = byteAt(n);
    EXPECT_EQ(pwrite(fd_, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(kFileBytes));
  }
  ~DoorTest() override {
    for (forerun_handle *handle : open_)
      door().detach(handle);
    ::close(fd_);
    unlink(path_.c_str());
  }

  /// With \p reader: as a file without a descriptor. Null if the file has no cache: then it is
  /// `uncached_`.
  forerun_handle *attach(const char *cacheMode, int amode = MPI_MODE_RDWR,
                         ReaderOf *reader = nullptr) {
    static std::array<char, 8192> names; // an MPI_File is an address
    static std::size_t files = 0;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    if (cacheMode != nullptr)
      MPI_Info_set(info, "forerun_cache", cacheMode);
    lastFile_ = reinterpret_cast<MPI_File>(&names.at(files++));
    const forerun_reader given = reader != nullptr ? reader->asGiven() : forerun_reader{};
    const forerun_open_file file{lastFile_,
                                 path_.c_str(),
                                 reader != nullptr ? "pvfs2" : "ufs",
                                 reader != nullptr ? -1 : fd_,
                                 amode,
                                 MPI_COMM_SELF,
                                 info,
                                 0,
                                 reader != nullptr ? &given : nullptr,
                                 0};
    int serves = 2;
    forerun_handle *handle = door().attach(&file, &serves);
    if (handle != nullptr)
      open_.push_back(handle);
    MPI_Info_free(&info);
    EXPECT_TRUE(serves == 0 || (serves == 1 && handle != nullptr));
    uncached_ = serves != 0 ? nullptr : handle;
    return serves != 0 ? handle : nullptr;
  }
  void detach(forerun_handle *handle) {
    std::erase(open_, handle);
    door().detach(handle);
  }

  /// As the patched MPI-IO reads. True if the cache served it.
  bool read(forerun_handle *handle, std::uint64_t offset, std::size_t length) {
    bytes_.assign(length, '\0');
    std::uint64_t ticket = 0;
    got_ = 0;
    if (door().read(handle, bytes_.data(), offset, length, &got_, &ticket) == 1)
      return true;
    const ssize_t got = pread(fd_, bytes_.data(), length, static_cast<off_t>(offset));
    got_ = static_cast<std::size_t>(got);
    door().missed(handle, bytes_.data(), offset, length, got_, ticket, 1000);
    return false;
  }
  bool isRight(std::uint64_t offset) const {
    for (std::size_t n = 0; n < got_; ++n)
      if (bytes_[n] != byteAt(offset + n))
        return false;
    return true;
  }
  void write(forerun_handle *handle, std::uint64_t offset, const std::string &text) {
    ASSERT_EQ(pwrite(fd_, text.data(), text.size(), static_cast<off_t>(offset)),
              static_cast<ssize_t>(text.size()));
    const forerun_range range{offset, text.size()};
    door().written(handle, &range, 1);
  }
  void writing(forerun_handle *handle, std::uint64_t offset, std::uint64_t length) {
    const forerun_range range{offset, length};
    door().writing(handle, &range, 1);
  }
  /// Announces by hand, and waits until the door would serve it.
  void prefetch(forerun_handle *handle, std::uint64_t offset, int length) {
    MPI_File_prefetch_at(lastFile_, static_cast<MPI_Offset>(offset), length, MPI_BYTE);
    const forerun_range range{offset, static_cast<std::uint64_t>(length)};
    while (door().covered(handle, &range, 1) == 0)
      usleep(100);
  }

  int fd_ = -1;
  MPI_File lastFile_ = MPI_FILE_NULL;
  forerun_handle *uncached_ = nullptr; ///< the one attached last, if it has no cache
  std::vector<char> bytes_;
  std::size_t got_ = 0;
  std::string path_;

private:
  std::vector<forerun_handle *> open_;
};

TEST_F(DoorTest, WithCacheAutoAFileWithoutAnnouncementsIsNotServedAndNotKept) {
  forerun_handle *handle = attach("auto");
  ASSERT_NE(handle, nullptr);
  EXPECT_FALSE(read(handle, 0, 100));
  EXPECT_FALSE(read(handle, 0, 100));
  EXPECT_EQ(theProcess().host().cache()->stats(*handle->file).misses, 0U) << "not even asked";
}

TEST_F(DoorTest, WhatWasAnnouncedIsServed) {
  forerun_handle *handle = attach("auto");
  prefetch(handle, 5000, 300000);
  EXPECT_TRUE(read(handle, 5000, 300000));
  EXPECT_EQ(got_, 300000U);
  EXPECT_TRUE(isRight(5000));
}

TEST_F(DoorTest, WithCacheOnMissedReadsAreKept) {
  forerun_handle *handle = attach("on");
  EXPECT_FALSE(read(handle, 8192, 8192));
  EXPECT_TRUE(read(handle, 8192, 8192));
  EXPECT_TRUE(isRight(8192));
}

TEST_F(DoorTest, WhereTheThreadFollowsTheProgramReadsIntoTheCache) {
  forerun_handle *handle = attach("auto");
  prefetch(handle, 500000, 10); // from here on the cache is asked
  const auto isHere = [&](std::uint64_t offset) {
    const forerun_range range{offset, 4};
    return door().covered(handle, &range, 1) != 0;
  };
  EXPECT_FALSE(read(handle, 100, 50));
  EXPECT_FALSE(isHere(110));
  handle->open->followed = true;
  EXPECT_TRUE(read(handle, 100, 50));
  EXPECT_TRUE(isRight(100));
  EXPECT_TRUE(isHere(110));
  EXPECT_EQ(theProcess().host().cache()->stats(*handle->file).misses, 2U);
  write(handle, 120, "new");
  EXPECT_FALSE(isHere(110));
  EXPECT_FALSE(read(handle, 100000, OpenFile::kMaxFollowedBytes + 1)) << "it takes too long";
}

TEST_F(DoorTest, WhereTheThreadRestsTheProgramReadsAsWithoutItAndLeavesATrail) {
  forerun_handle *handle = attach("auto");
  prefetch(handle, 500000, 10); // from here on the cache is asked
  handle->open->followed = true;
  Lead &lead = theProcess().host().courier().lead();
  const Lead::Time now{};
  for (unsigned n = 0; n < Lead::kFirstJudged; ++n)
    lead.note(Lead::Read::Next, now, now + std::chrono::milliseconds(1));
  EXPECT_FALSE(read(handle, 100, 50));
  EXPECT_TRUE(isRight(100));
  const forerun_range range{100, 50};
  EXPECT_EQ(door().covered(handle, &range, 1), 0);
  std::fill(bytes_.begin(), bytes_.end(), '\0');
  EXPECT_TRUE(
      theProcess().host().trail().take({handle->slot, handle->generation, 100, 50}, bytes_.data()));
  EXPECT_TRUE(isRight(100));
  EXPECT_TRUE(read(handle, 8192, Trail::kMaxBytes + 1)) << "too long for the trail";
  lead.rests(now + Lead::kMaxRest);
  EXPECT_TRUE(read(handle, 200, 50)) << "the rest is over";
}

TEST_F(DoorTest, ANonBlockingReadFetchesNothingItself) {
  forerun_handle *handle = attach("auto");
  prefetch(handle, 500000, 10);
  handle->open->followed = true;
  std::array<char, 50> bytes{};
  std::size_t got = 0;
  std::uint64_t ticket = FORERUN_UNTOLD;
  EXPECT_EQ(door().read(handle, bytes.data(), 100, bytes.size(), &got, &ticket), 0);
}

TEST_F(DoorTest, WithCacheOffNothingIsServed) { EXPECT_EQ(attach("off"), nullptr); }

TEST_F(DoorTest, AWriteOnlyFileHasNoCacheButItsOpenIsNoted) {
  theProcess().takeOpened();
  EXPECT_EQ(attach("on", MPI_MODE_WRONLY), nullptr);
  EXPECT_EQ(theProcess().takeOpened().file, lastFile_);
}

TEST_F(DoorTest, AFileWithoutADescriptorIsServedThroughItsReader) {
  ReaderOf reader(fd_);
  forerun_handle *handle = attach("auto", MPI_MODE_RDWR, &reader);
  prefetch(handle, 5000, 300000);
  EXPECT_TRUE(read(handle, 5000, 300000));
  EXPECT_EQ(got_, 300000U);
  EXPECT_TRUE(isRight(5000));
  EXPECT_GT(reader.reads, 0U);
  prefetch(handle, kFileBytes - 100, 1000);
  EXPECT_TRUE(read(handle, kFileBytes - 100, 1000));
  EXPECT_EQ(got_, 100U) << "the file ends there";
  detach(handle);
  EXPECT_EQ(reader.released, 1U);
}

TEST_F(DoorTest, AReaderIsKeptUntilTheLastHandleOfItsFileIsClosed) {
  ReaderOf first(fd_);
  ReaderOf second(fd_);
  forerun_handle *one = attach("auto", MPI_MODE_RDWR, &first);
  forerun_handle *other = attach("auto", MPI_MODE_RDWR, &second);
  EXPECT_EQ(second.released, 1U) << "one is enough";
  detach(one);
  EXPECT_EQ(first.released, 0U);
  prefetch(other, 0, 8192);
  EXPECT_TRUE(read(other, 0, 8192));
  EXPECT_TRUE(isRight(0));
  detach(other);
  EXPECT_EQ(first.released, 1U);
  EXPECT_EQ(second.reads, 0U);
}

TEST_F(DoorTest, AReaderIsReleasedWhereThereIsNoCacheForItsFile) {
  ReaderOf reader(fd_);
  EXPECT_EQ(attach("off", MPI_MODE_RDWR, &reader), nullptr);
  EXPECT_EQ(attach("on", MPI_MODE_WRONLY, &reader), nullptr);
  EXPECT_EQ(reader.released, 2U);
}

TEST_F(DoorTest, WhatAReaderFailsToReadIsLeftToTheMpiIo) {
  ReaderOf reader(fd_);
  forerun_handle *handle = attach("on", MPI_MODE_RDWR, &reader);
  reader.fails = true;
  MPI_File_prefetch_at(lastFile_, 0, 8192, MPI_BYTE);
  while (reader.reads == 0)
    usleep(100);
  EXPECT_FALSE(read(handle, 0, 8192));
  EXPECT_TRUE(isRight(0));
  detach(handle);
}

TEST_F(DoorTest, AFileThatOnlyTheMpiIoCanReadHasNoCacheAndTheUserIsToldWhy) {
  const forerun_open_file file{reinterpret_cast<MPI_File>(this),
                               "/pvfs2/data",
                               "pvfs2",
                               -1,
                               MPI_MODE_RDONLY,
                               MPI_COMM_SELF,
                               MPI_INFO_NULL,
                               0,
                               nullptr,
                               0};
  testing::internal::CaptureStderr();
  int serves = 1;
  EXPECT_EQ(door().attach(&file, &serves), nullptr);
  EXPECT_EQ(serves, 0);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("no cache for /pvfs2/data (pvfs2): only MPI-IO can read its file "
                        "system"));
}

TEST_F(DoorTest, WrittenBytesAreReadAnew) {
  forerun_handle *handle = attach("on");
  read(handle, 0, 8192);
  ASSERT_TRUE(read(handle, 0, 8192));
  write(handle, 100, "new");
  read(handle, 0, 8192);
  EXPECT_EQ(std::string(bytes_.data() + 100, 3), "new");
}

TEST_F(DoorTest, WhatWasWrittenWithItsBytesToldStays) {
  forerun_handle *handle = attach("on");
  read(handle, 0, 8192);
  ASSERT_EQ(pwrite(fd_, "new", 3, 100), 3);
  door().wrote(handle, "new", 100, 3);
  EXPECT_TRUE(read(handle, 0, 8192));
  EXPECT_EQ(std::string(bytes_.data() + 100, 3), "new");
  for (std::uint64_t at = 100; at < 103; ++at)
    bytes_[at] = byteAt(at);
  EXPECT_TRUE(isRight(0));
}

TEST_F(DoorTest, AWriteThroughAnotherHandleOfTheFileCounts) {
  forerun_handle *writer = attach("auto");
  forerun_handle *reader = attach("on");
  EXPECT_EQ(writer->file, reader->file);
  read(reader, 0, 8192);
  write(writer, 0, "other");
  read(reader, 0, 8192);
  EXPECT_EQ(std::string(bytes_.data(), 5), "other");
}

TEST_F(DoorTest, AWriteThroughAHandleWithoutACacheCounts) {
  forerun_handle *reader = attach("on");
  for (const char *mode : {"on", "off"}) {
    ASSERT_EQ(attach(mode, std::string(mode) == "on" ? MPI_MODE_WRONLY : MPI_MODE_RDWR), nullptr);
    ASSERT_NE(uncached_, nullptr);
    read(reader, 0, 8192);
    write(uncached_, 0, mode);
    read(reader, 0, 8192);
    EXPECT_EQ(std::string(bytes_.data(), std::string(mode).size()), mode);
    read(reader, 4096, 4096);
    EXPECT_TRUE(read(reader, 4096, 4096)) << "and no other bytes";
    door().epoch(uncached_, 1);
    EXPECT_FALSE(read(reader, 4096, 4096));
  }
}

TEST_F(DoorTest, AHandleThatCanOnlyReadAndHasNoCacheIsNotAttached) {
  EXPECT_EQ(attach("off", MPI_MODE_RDONLY), nullptr);
  EXPECT_EQ(uncached_, nullptr);
}

TEST_F(DoorTest, AWriteThroughAHandleThatFindsNoPlaceInTheTableCounts) {
  forerun_handle *reader = attach("on");
  std::size_t attached = 1;
  while (attach("on") != nullptr)
    ++attached;
  EXPECT_EQ(attached, HandleTable::kSlots);
  ASSERT_NE(uncached_, nullptr);
  read(reader, 0, 8192);
  write(uncached_, 0, "other");
  read(reader, 0, 8192);
  EXPECT_EQ(std::string(bytes_.data(), 5), "other");
}

TEST_F(DoorTest, AnEpochThroughOneHandleLeavesWhatIsBeingWrittenThroughAnother) {
  forerun_handle *reader = attach("on");
  forerun_handle *const cached = attach("on");
  attach("on", MPI_MODE_WRONLY);
  for (forerun_handle *writer : {cached, uncached_}) {
    writing(writer, 0, 100);
    read(reader, 0, 8192);
    door().epoch(reader, 1);
    for (int again = 0; again < 3; ++again)
      EXPECT_FALSE(read(reader, 0, 8192)) << "the bytes are neither kept nor served";
    door().epoch(writer, 0); // seek_shared
    read(reader, 0, 8192);
    EXPECT_FALSE(read(reader, 0, 8192));
    detach(writer);
    read(reader, 0, 8192);
    EXPECT_TRUE(read(reader, 0, 8192));
  }
}

TEST_F(DoorTest, AnUnknownNonBlockingWriteIsInForceUntilItsOwnHandlesEpoch) {
  for (const bool writerHasACache : {true, false}) {
    forerun_handle *writer = attach("auto", writerHasACache ? MPI_MODE_RDWR : MPI_MODE_WRONLY);
    if (!writerHasACache)
      writer = uncached_;
    writing(writer, 0, 100); // nothing was announced, or there is no cache of the file yet
    forerun_handle *reader = attach("on");
    door().epoch(reader, 1);
    for (int again = 0; again < 2; ++again)
      EXPECT_FALSE(read(reader, 8192, 100));
    door().epoch(writer, 1);
    read(reader, 8192, 4096);
    EXPECT_TRUE(read(reader, 8192, 4096));
    detach(reader);
    detach(writer);
  }
}

TEST_F(DoorTest, WritesUnderWayOutliveTheCacheThatWasToldOfThem) {
  forerun_handle *reader = attach("on");
  attach("on", MPI_MODE_WRONLY);
  forerun_handle *const writer = uncached_;
  read(reader, 0, 8192); // from now on writes are told
  for (int again = 0; again < 2; ++again) {
    writing(writer, 0, 4096);
    detach(reader); // and with it all that the cache knows of the file
    reader = attach("on");
    read(reader, 0, 8192);
    EXPECT_FALSE(read(reader, 0, 8192));
    door().epoch(writer, 1);
    read(reader, 0, 8192);
    EXPECT_TRUE(read(reader, 0, 8192));
  }
}

TEST_F(DoorTest, AnEpochForgetsWhatWasReadBefore) {
  forerun_handle *handle = attach("on");
  read(handle, 0, 4096);
  ASSERT_TRUE(read(handle, 0, 4096));
  door().epoch(handle, 1);
  EXPECT_FALSE(read(handle, 0, 4096));
}

TEST_F(DoorTest, WhatIsBeingWrittenBypassesTheCacheUntilTheNextEpoch) {
  forerun_handle *handle = attach("auto");
  const forerun_range range{0, 100};
  door().writing(handle, &range, 1); // before anything was announced
  MPI_File_prefetch_at(lastFile_, 0, 4096, MPI_BYTE);
  prefetch(handle, 0, 0); // until the courier has taken it
  EXPECT_FALSE(read(handle, 0, 100));
  door().epoch(handle, 1);
  prefetch(handle, 0, 4096);
  EXPECT_TRUE(read(handle, 0, 100));
}

TEST_F(DoorTest, AtomicModeOfOneHandleHoldsForTheFile) {
  forerun_handle *one = attach("on"), *other = attach("on");
  read(one, 0, 4096);
  door().atomicity(other, 1);
  EXPECT_FALSE(read(one, 0, 4096));
  detach(other);
  read(one, 0, 4096);
  EXPECT_TRUE(read(one, 0, 4096));
}

TEST_F(DoorTest, AReadAcrossTheEndOfTheFileIsShort) {
  forerun_handle *handle = attach("on");
  read(handle, kFileBytes - 10, 4096);
  EXPECT_EQ(got_, 10U);
  read(handle, kFileBytes - 10, 4096);
  EXPECT_EQ(got_, 10U);
  EXPECT_TRUE(isRight(kFileBytes - 10));
}

TEST_F(DoorTest, TheHintsInForceAreReadBack) {
  forerun_handle *handle = attach("on");
  const auto hint = [&](const char *name) {
    MPI_Info used = MPI_INFO_NULL;
    MPI_Info_create(&used);
    door().get_info(handle, used);
    std::array<char, MPI_MAX_INFO_VAL> value{};
    int found = 0;
    MPI_Info_get(used, name, MPI_MAX_INFO_VAL - 1, value.data(), &found);
    MPI_Info_free(&used);
    return found != 0 ? std::string(value.data()) : "(none)";
  };
  EXPECT_EQ(hint("forerun_cache"), "on");
  MPI_Info users = MPI_INFO_NULL;
  MPI_Info_create(&users);
  MPI_Info_set(users, "forerun_cache", "auto");
  MPI_Info_set(users, "forerun_cache_size", "1M"); // the first file decided
  MPI_Info_set(users, "forerun_watchdog", "77");   // of the process
  testing::internal::CaptureStderr();
  door().set_info(handle, users);
  const std::string said = testing::internal::GetCapturedStderr();
  MPI_Info_free(&users);
  EXPECT_EQ(hint("forerun_cache"), "auto");
  EXPECT_EQ(hint("forerun_cache_size"), "32M");
  EXPECT_EQ(hint("forerun_watchdog"), "10");
  EXPECT_THAT(said, HasSubstr("hint forerun_cache_size=1M has no effect, the first file with a "
                              "cache has decided on 32M: give the hint where that file is opened, "
                              "or set FORERUN_CACHE_SIZE=1M (file " +
                              path_ + ")\n"));
  EXPECT_THAT(said, HasSubstr("hint forerun_watchdog=77 has no effect, it concerns the whole "
                              "process: set FORERUN_WATCHDOG=77 (file " +
                              path_ + ")\n"));
}

TEST_F(DoorTest, AFileIsServedAgainAfterItWasClosedAndOpened) {
  forerun_handle *handle = attach("auto");
  prefetch(handle, 0, 4096);
  detach(handle);
  handle = attach("auto");
  EXPECT_FALSE(read(handle, 0, 4096)) << "a new open, a new epoch";
  prefetch(handle, 4096, 4096);
  EXPECT_TRUE(read(handle, 4096, 4096));
}

} // namespace
} // namespace forerun

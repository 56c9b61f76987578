// SPDX-License-Identifier: Apache-2.0
#include "MpiTest.h"
#include "Pvfs2Requests.h"
#include "forerun/prefetch.h"

#include <random>

// On a PVFS2 file system at pvfs2:/forerun (see with-pvfs2): what MPI-IO reads comes from the
// cache, which is filled without a descriptor.

namespace forerun::test {
namespace {

constexpr int kBlockBytes = 8192, kBlocks = 64;
constexpr const char *kPath = "pvfs2:/forerun/data";

std::uint64_t offsetOf(int block) { return static_cast<std::uint64_t>(block) * kBlockBytes; }

class OnPvfs2 : public testing::Test {
protected:
  /// Every rank writes a block in turn.
  OnPvfs2() {
    file = open(MPI_MODE_CREATE | MPI_MODE_RDWR);
    for (int block = rank(); block < kBlocks; block += ranks())
      write(offsetOf(block), bytesAt(offsetOf(block), kBlockBytes));
    synchronise();
  }
  ~OnPvfs2() override {
    failPvfs2Reads(NoReads);
    // Who closes takes its pages along, which the others may still want to see served.
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0)
      MPI_File_delete(kPath, MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  static MPI_File open(int amode) {
    const Hints hints{{"forerun_cache", "on"}};
    return openFile(kPath, amode, hints);
  }

  void synchronise() const {
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
  }

  void write(std::uint64_t offset, const std::vector<char> &bytes) const {
    EXPECT_EQ(MPI_SUCCESS,
              MPI_File_write_at(file, static_cast<MPI_Offset>(offset), bytes.data(),
                                static_cast<int>(bytes.size()), MPI_BYTE, MPI_STATUS_IGNORE));
  }

  /// The bytes that a contiguous read returns, as many as it counts.
  static std::vector<char> readOf(MPI_File from, std::uint64_t offset, int length) {
    std::vector<char> bytes(static_cast<std::size_t>(length));
    MPI_Status status;
    EXPECT_EQ(MPI_SUCCESS, MPI_File_read_at(from, static_cast<MPI_Offset>(offset), bytes.data(),
                                            length, MPI_BYTE, &status));
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    bytes.resize(static_cast<std::size_t>(count));
    return bytes;
  }
  std::vector<char> read(std::uint64_t offset, int length) const {
    return readOf(file, offset, length);
  }

  /// Announces a range, and waits until it is in the cache.
  static void bring(MPI_File to, std::uint64_t offset, int length) {
    std::vector<char> bytes(static_cast<std::size_t>(length));
    MPI_File_prefetch_read_at(to, static_cast<MPI_Offset>(offset), bytes.data(), length, MPI_BYTE,
                              nullptr);
  }
  void bring(std::uint64_t offset, int length) const { bring(file, offset, length); }

  /// The rank's rows of \p bytes bytes, \p count of them, one for each rank in turn.
  static std::vector<char> rows(int bytes, int count) {
    std::vector<char> all;
    const auto length = static_cast<std::uint64_t>(bytes);
    for (int n = 0; n < count; ++n) {
      const int row = n * ranks() + rank();
      const std::vector<char> part = bytesAt(static_cast<std::uint64_t>(row) * length, length);
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }

  MPI_File file = MPI_FILE_NULL;
};

TEST_F(OnPvfs2, WhatWasReadIsServedTheNextTime) {
  EXPECT_EQ(read(8192, 20000), bytesAt(8192, 20000));
  const int before = pvfs2Reads();
  EXPECT_EQ(read(10000, 5000), bytesAt(10000, 5000));
  EXPECT_EQ(pvfs2Reads(), before);
}

TEST_F(OnPvfs2, WhatWasFetchedAheadIsServed) {
  bring(5000, 300000);
  const int before = pvfs2Reads();
  EXPECT_GT(before, 0);
  EXPECT_EQ(read(5000, 300000), bytesAt(5000, 300000));
  EXPECT_EQ(pvfs2Reads(), before);
}

TEST_F(OnPvfs2, AnnouncedReadsInAnyOrderBringWhatIsInTheFile) {
  std::mt19937 random(static_cast<unsigned>(rank()));
  std::vector<int> order(500);
  for (int round = 0; round < 5; ++round) {
    for (int &block : order) {
      block = static_cast<int>(random() % kBlocks);
      EXPECT_EQ(MPI_SUCCESS, MPI_File_prefetch_at(file, static_cast<MPI_Offset>(offsetOf(block)),
                                                  kBlockBytes, MPI_BYTE));
    }
    for (const int block : order)
      EXPECT_EQ(read(offsetOf(block), kBlockBytes), bytesAt(offsetOf(block), kBlockBytes)) << block;
    synchronise();
  }
}

TEST_F(OnPvfs2, AReadAcrossTheEndOfTheFileIsShort) {
  const std::uint64_t offset = offsetOf(kBlocks) - 100;
  EXPECT_EQ(read(offset, 1000), bytesAt(offset, 100));
  bring(offset, 1000);
  EXPECT_EQ(read(offset, 1000), bytesAt(offset, 100));
  EXPECT_TRUE(read(offset + 100, 1000).empty());
}

TEST_F(OnPvfs2, AStridedReadIsServedFromTheCache) {
  const Type view(4, 1000, 1000 * ranks(), 1000 * rank());
  bring(0, 8000 * ranks());
  const int before = pvfs2Reads();
  EXPECT_EQ(MPI_SUCCESS, MPI_File_set_view(file, 0, MPI_BYTE, view, "native", MPI_INFO_NULL));
  std::vector<char> bytes(8000);
  EXPECT_EQ(MPI_SUCCESS, MPI_File_read(file, bytes.data(), 8000, MPI_BYTE, MPI_STATUS_IGNORE));
  EXPECT_EQ(bytes, rows(1000, 8));
  EXPECT_EQ(pvfs2Reads(), before);
}

TEST_F(OnPvfs2, ACollectiveReadOfAStridedViewIsServedFromTheCache) {
  const Type view(4, 1000, 1000 * ranks(), 1000 * rank());
  EXPECT_EQ(MPI_SUCCESS, MPI_File_set_view(file, 0, MPI_BYTE, view, "native", MPI_INFO_NULL));
  std::vector<char> bytes(8000);
  EXPECT_EQ(MPI_SUCCESS,
            MPI_File_read_at_all(file, 0, bytes.data(), 8000, MPI_BYTE, MPI_STATUS_IGNORE));
  EXPECT_EQ(bytes, rows(1000, 8));
  std::vector<char> same(8000);
  MPI_File_prefetch_read_at(file, 0, same.data(), 8000, MPI_BYTE, nullptr);
  EXPECT_EQ(same, bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  const int before = pvfs2Reads();
  std::ranges::fill(bytes, '#');
  EXPECT_EQ(MPI_SUCCESS,
            MPI_File_read_at_all(file, 0, bytes.data(), 8000, MPI_BYTE, MPI_STATUS_IGNORE));
  EXPECT_EQ(bytes, same);
  EXPECT_EQ(pvfs2Reads(), before);
}

TEST_F(OnPvfs2, AWriteIsSeenAtOnceByItsProcessAndAfterASynchronisationByAll) {
  bring(0, kBlocks * kBlockBytes);
  const std::vector<char> mine(100, static_cast<char>('a' + rank()));
  const auto offsetOfRank = [](int writer) { return offsetOf(2 * writer) + 1000; };
  write(offsetOfRank(rank()), mine);
  EXPECT_EQ(read(offsetOfRank(rank()), 100), mine);
  EXPECT_EQ(read(offsetOfRank(rank()) - 1000, 1000), bytesAt(offsetOfRank(rank()) - 1000, 1000));
  synchronise();
  for (int writer = 0; writer < ranks(); ++writer)
    EXPECT_EQ(read(offsetOfRank(writer), 100),
              std::vector<char>(100, static_cast<char>('a' + writer)));
}

TEST_F(OnPvfs2, FetchesGoOnWhenTheFileWasClosedThatWasOpenedFirst) {
  MPI_File second = open(MPI_MODE_RDWR);
  MPI_File_close(&file);
  file = second;
  bring(0, 100000);
  const int before = pvfs2Reads();
  EXPECT_EQ(read(0, 100000), bytesAt(0, 100000));
  EXPECT_EQ(pvfs2Reads(), before);
}

TEST_F(OnPvfs2, AFileIsClosedWithFetchesUnderWay) {
  for (int round = 0; round < 20; ++round) {
    MPI_File again = open(MPI_MODE_RDONLY);
    for (int block = 0; block < kBlocks; ++block)
      MPI_File_prefetch_at(again, static_cast<MPI_Offset>(offsetOf(block)), kBlockBytes, MPI_BYTE);
    EXPECT_EQ(readOf(again, offsetOf(round), kBlockBytes), bytesAt(offsetOf(round), kBlockBytes));
    MPI_File_close(&again);
  }
}

TEST_F(OnPvfs2, WhereAFetchFailsTheReadIsTheDrivers) {
  failPvfs2Reads(ReadsOfHelpers);
  for (int block = 0; block < kBlocks; ++block)
    MPI_File_prefetch_at(file, static_cast<MPI_Offset>(offsetOf(block)), kBlockBytes, MPI_BYTE);
  for (int block = 0; block < kBlocks; ++block)
    EXPECT_EQ(read(offsetOf(block), kBlockBytes), bytesAt(offsetOf(block), kBlockBytes)) << block;
}

TEST_F(OnPvfs2, WhereTheDriverFailsTooTheErrorIsItsOwn) {
  failPvfs2Reads(AllReads);
  MPI_File_prefetch_at(file, 0, kBlockBytes, MPI_BYTE);
  std::vector<char> bytes(kBlockBytes);
  EXPECT_EQ(
      errorClass(MPI_File_read_at(file, 0, bytes.data(), kBlockBytes, MPI_BYTE, MPI_STATUS_IGNORE)),
      MPI_ERR_ACCESS);
  MPI_Barrier(MPI_COMM_WORLD); // the others must not be given what this process reads now
  failPvfs2Reads(NoReads);
  EXPECT_EQ(read(0, kBlockBytes), bytesAt(0, kBlockBytes));
}

TEST_F(OnPvfs2, AFileThatIsNotThereIsSaidNotToBeThere) {
  MPI_File none = MPI_FILE_NULL;
  EXPECT_EQ(errorClass(MPI_File_open(MPI_COMM_WORLD, "pvfs2:/forerun/none", MPI_MODE_RDONLY,
                                     MPI_INFO_NULL, &none)),
            MPI_ERR_NO_SUCH_FILE);
}

} // namespace
} // namespace forerun::test

// SPDX-License-Identifier: Apache-2.0
#include "MpiTest.h"
#include "forerun/prefetch.h"

#include <gmock/gmock.h>
#include <random>

// On a PVFS2 file system at pvfs2:/forerun (see with-pvfs2), with Forerun asked to cache: MPI-IO
// serves it through the stacked driver as without Forerun, and the user is told that it has no
// cache.

namespace forerun::test {
namespace {

constexpr int kBlockBytes = 8192, kBlocks = 64;

class OnPvfs2 : public testing::Test {
protected:
  /// Every rank writes a block in turn.
  OnPvfs2() {
    const Hints hints{{"forerun_cache", "on"}};
    testing::internal::CaptureStderr();
    file = openFile("pvfs2:/forerun/data", MPI_MODE_CREATE | MPI_MODE_RDWR, hints);
    said = testing::internal::GetCapturedStderr();
    for (int block = rank(); block < kBlocks; block += ranks()) {
      const std::vector<char> bytes = bytesAt(offsetOf(block), kBlockBytes);
      EXPECT_EQ(MPI_SUCCESS,
                MPI_File_write_at(file, static_cast<MPI_Offset>(offsetOf(block)), bytes.data(),
                                  kBlockBytes, MPI_BYTE, MPI_STATUS_IGNORE));
    }
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
  }
  ~OnPvfs2() override {
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0)
      MPI_File_delete("pvfs2:/forerun/data", MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  static std::uint64_t offsetOf(int block) {
    return static_cast<std::uint64_t>(block) * kBlockBytes;
  }

  /// What a contiguous read brings, at its count.
  std::vector<char> read(std::uint64_t offset, int length) const {
    std::vector<char> bytes(static_cast<std::size_t>(length));
    MPI_Status status;
    EXPECT_EQ(MPI_SUCCESS, MPI_File_read_at(file, static_cast<MPI_Offset>(offset), bytes.data(),
                                            length, MPI_BYTE, &status));
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    bytes.resize(static_cast<std::size_t>(count));
    return bytes;
  }

  MPI_File file = MPI_FILE_NULL;
  std::string said; ///< at open
};

TEST_F(OnPvfs2, TheUserIsToldThatThereIsNoCache) {
  EXPECT_THAT(said, testing::HasSubstr("(pvfs2): its file system has no descriptor"));
}

TEST_F(OnPvfs2, AnnouncedReadsBringWhatIsInTheFile) {
  std::mt19937 random(static_cast<unsigned>(rank()));
  std::vector<int> order(100);
  for (int &block : order) {
    block = static_cast<int>(random() % kBlocks);
    EXPECT_EQ(MPI_SUCCESS, MPI_File_prefetch_at(file, static_cast<MPI_Offset>(offsetOf(block)),
                                                kBlockBytes, MPI_BYTE));
  }
  for (const int block : order)
    EXPECT_EQ(read(offsetOf(block), kBlockBytes), bytesAt(offsetOf(block), kBlockBytes)) << block;
}

TEST_F(OnPvfs2, AReadAcrossTheEndOfTheFileIsShort) {
  const std::uint64_t offset = offsetOf(kBlocks) - 100;
  EXPECT_EQ(read(offset, 1000), bytesAt(offset, 100));
}

TEST_F(OnPvfs2, ACollectiveReadOfAStridedViewBringsWhatIsInTheFile) {
  const Type view(4, 1000, 1000 * ranks(), 1000 * rank());
  EXPECT_EQ(MPI_SUCCESS, MPI_File_set_view(file, 0, MPI_BYTE, view, "native", MPI_INFO_NULL));
  std::vector<char> bytes(8000), expected;
  for (std::uint64_t n = 0; n < 8; ++n) {
    const auto row = n * static_cast<std::uint64_t>(ranks()) + static_cast<std::uint64_t>(rank());
    const std::vector<char> part = bytesAt(row * 1000, 1000);
    expected.insert(expected.end(), part.begin(), part.end());
  }
  EXPECT_EQ(MPI_SUCCESS, MPI_File_read_all(file, bytes.data(), 8000, MPI_BYTE, MPI_STATUS_IGNORE));
  EXPECT_EQ(bytes, expected);
}

} // namespace
} // namespace forerun::test

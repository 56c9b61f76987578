// SPDX-License-Identifier: Apache-2.0
#include "MpiTest.h"

#include <algorithm>
#include <forerun/door.h>
#include <numeric>
#include <sys/uio.h>

// On a PVFS2 file system at pvfs2:/forerun (see with-pvfs2): the function by which Forerun's threads
// read a file there. Every piece of memory gets its bytes, wherever the pieces lie, and nothing but
// the pieces is written to: libpvfs2 takes pieces that leave no gap for contiguous, in any order.

namespace forerun::test {
namespace {

constexpr const char *kPath = "pvfs2:/forerun/read";
/// On four servers, several strips of 64 KiB on each.
constexpr std::size_t kFileBytes = std::size_t{1} << 20;

/// The reader of the file that was opened last.
forerun_reader &reader() {
  static forerun_reader last{};
  return last;
}

/// A door that takes the reader and keeps nothing of the file.
forerun_handle *takeReader(const forerun_open_file *file, int *serves) {
  *serves = 0;
  if (file->reader != nullptr)
    reader() = *file->reader;
  return nullptr;
}

void registerDoor() {
  static const forerun_door door = [] {
    forerun_door it{};
    it.version = FORERUN_DOOR_VERSION;
    it.attach = takeReader;
    return it;
  }();
  ASSERT_EQ(forerun_mpiio_register(&door), 0);
}

class ReaderOfPvfs2 : public testing::Test {
protected:
  ReaderOfPvfs2() {
    registerDoor();
    MPI_File file = openFile(kPath, MPI_MODE_CREATE | MPI_MODE_RDWR);
    const std::vector<char> bytes = bytesAt(0, kFileBytes);
    MPI_File_write_at(file, 0, bytes.data(), static_cast<int>(kFileBytes), MPI_BYTE,
                      MPI_STATUS_IGNORE);
    MPI_File_close(&file);
  }
  ~ReaderOfPvfs2() override {
    reader().release(reader().context);
    MPI_File_delete(kPath, MPI_INFO_NULL);
  }

  /// Reads at \p offset into pieces of \p length bytes that lie in memory in the given order,
  /// \p gap bytes apart: piece n of the read is the places[n]th from below.
  static void expectRead(const std::vector<int> &places, std::size_t length, std::size_t gap,
                         std::uint64_t offset) {
    constexpr std::size_t kAround = std::size_t{512} << 10; // room for what goes astray
    const std::size_t count = places.size();
    std::vector<char> memory(2 * kAround + count * (length + gap), '#');
    std::vector<char> expected = memory;
    std::vector<iovec> pieces;
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t at = kAround + static_cast<std::size_t>(places[n]) * (length + gap);
      const std::vector<char> bytes = bytesAt(offset + n * length, length);
      std::ranges::copy(bytes, expected.begin() + static_cast<std::ptrdiff_t>(at));
      pieces.push_back({memory.data() + at, length});
    }
    EXPECT_EQ(reader().read(reader().context, pieces.data(), static_cast<int>(count), offset),
              static_cast<std::int64_t>(count * length));
    EXPECT_TRUE(memory == expected) << "places " << testing::PrintToString(places) << ", pieces of "
                                    << length << ", gaps of " << gap << ", at " << offset;
  }
};

TEST_F(ReaderOfPvfs2, BringsEachPieceItsBytesInWhateverOrderTheyLie) {
  for (int count = 1; count <= 4; ++count) {
    std::vector<int> places(static_cast<std::size_t>(count));
    std::iota(places.begin(), places.end(), 0);
    do {
      for (const std::size_t length : {4096, 65536, 100000})
        for (const std::size_t gap : {0, 4096})
          for (const std::uint64_t offset : {131072, 32768 + 100})
            expectRead(places, length, gap, offset);
    } while (std::next_permutation(places.begin(), places.end()));
  }
}

TEST_F(ReaderOfPvfs2, MayBeGivenTheSameMemoryForSeveralGaps) {
  std::vector<char> memory(3 * 4096, '#');
  const std::vector<iovec> pieces{
      {memory.data(), 4096}, {memory.data(), 4096}, {memory.data() + 8192, 4096}};
  EXPECT_EQ(reader().read(reader().context, pieces.data(), 3, 65536), 3 * 4096);
  EXPECT_EQ(std::vector<char>(memory.begin() + 8192, memory.end()), bytesAt(65536 + 8192, 4096));
  EXPECT_EQ(std::vector<char>(memory.begin() + 4096, memory.begin() + 8192),
            std::vector<char>(4096, '#'));
}

TEST_F(ReaderOfPvfs2, EndsAtTheEndOfTheFile) {
  std::vector<char> memory(8192, '#');
  const std::vector<iovec> pieces{{memory.data() + 4096, 4096}, {memory.data(), 4096}};
  EXPECT_EQ(reader().read(reader().context, pieces.data(), 2, kFileBytes - 5000), 5000);
  EXPECT_EQ(std::vector<char>(memory.begin() + 4096, memory.end()),
            bytesAt(kFileBytes - 5000, 4096));
  EXPECT_EQ(std::vector<char>(memory.begin(), memory.begin() + 904),
            bytesAt(kFileBytes - 904, 904));
}

} // namespace
} // namespace forerun::test

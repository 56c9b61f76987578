// SPDX-License-Identifier: Apache-2.0
#include "calls/MpiFilePrefetch.h"

#include "calls/DoorTable.h"
#include "calls/TheProcess.h"
#include "forerun/prefetch.h"
#include "forerun/runtime.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>
#include <string>
#include <unistd.h>
#include <vector>

// The C functions, over the real runtime, courier and cache and a file in a temporary directory.

namespace {

thread_local std::size_t allocations = 0;

// Their addresses are the files' handles.
std::array<char, 2> files;

} // namespace

[[gnu::noinline]] void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept {
  ++allocations;
  return std::malloc(bytes == 0 ? 1 : bytes);
}
[[gnu::noinline]] void *operator new(std::size_t bytes) {
  void *made = operator new(bytes, std::nothrow);
  if (made == nullptr)
    throw std::bad_alloc();
  return made;
}
[[gnu::noinline]] void operator delete(void *block) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void *block, std::size_t) noexcept { std::free(block); }

// Pretends that the patched MPI-IO is loaded: without it nothing is executed ahead.
extern "C" int forerun_mpiio_register(const forerun_door * /*door*/) { return 0; }

namespace forerun {
namespace {

constexpr std::size_t kFileBytes = 1 << 20;
constexpr std::int64_t kPage = 4096;

char byteAt(std::uint64_t offset) { return static_cast<char>(offset * 7 + offset / 4096); }

class MpiFilePrefetchTest : public testing::Test {
protected:
  /// The file is in the system's memory, which would suspend prefetching.
  static void SetUpTestSuite() { theProcess().host().courier().throttle().stayRunning(); }

  MpiFilePrefetchTest() {
    path_ = testing::TempDir() + "forerun-calls-XXXXXX";
    fd_ = mkstemp(path_.data());
    std::vector<char> bytes(kFileBytes);
    for (std::size_t n = 0; n < bytes.size(); ++n)
      bytes[n] = byteAt(n);
    EXPECT_EQ(pwrite(fd_, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(kFileBytes));
    const forerun_open_file file{kFile,         path_.c_str(), "ufs", fd_,     MPI_MODE_RDWR,
                                 MPI_COMM_SELF, MPI_INFO_NULL, 0,     nullptr, 0};
    int serves = 0;
    handle_ = door().attach(&file, &serves);
    EXPECT_NE(handle_, nullptr);
  }
  ~MpiFilePrefetchTest() override {
    door().detach(handle_);
    ::close(fd_);
    unlink(path_.c_str());
  }

  /// Waits until the cache would serve the range.
  void awaitCovered(std::uint64_t offset, std::uint64_t length) const {
    const forerun_range range{offset, length};
    while (door().covered(handle_, &range, 1) == 0)
      usleep(100);
  }
  bool isCovered(std::uint64_t offset, std::uint64_t length) const {
    const forerun_range range{offset, length};
    return door().covered(handle_, &range, 1) == 1;
  }

  static inline const auto kFile = reinterpret_cast<MPI_File>(&files[0]);
  forerun_handle *handle_ = nullptr;
  int fd_ = -1;
  std::string path_;
};

TEST_F(MpiFilePrefetchTest, EveryCallOnAFileThatIsNotAttachedSucceedsAndDoesNothing) {
  const auto fh = reinterpret_cast<MPI_File>(&files[1]);
  std::size_t got = 99;
  char byte = 'x';
  EXPECT_EQ(MPI_File_prefetch(fh, 1, MPI_BYTE), MPI_SUCCESS);
  EXPECT_EQ(MPI_File_prefetch_all(fh, 1, MPI_BYTE), MPI_SUCCESS);
  EXPECT_EQ(MPI_File_prefetch_shared(fh, 1, MPI_BYTE), MPI_SUCCESS);
  EXPECT_EQ(MPI_File_prefetch_ordered(fh, 1, MPI_BYTE), MPI_SUCCESS);
  EXPECT_EQ(MPI_File_prefetch_at(fh, 0, 1, MPI_BYTE), MPI_SUCCESS);
  EXPECT_EQ(MPI_File_prefetch_at_all(fh, 0, 1, MPI_BYTE), MPI_SUCCESS);
  EXPECT_EQ(MPI_File_prefetch_seek(fh, 0, MPI_SEEK_SET), MPI_SUCCESS);
  EXPECT_EQ(MPI_File_prefetch_set_view(fh, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL),
            MPI_SUCCESS);
  EXPECT_EQ(MPI_File_prefetch_write(fh, 1, MPI_BYTE), MPI_SUCCESS);
  EXPECT_EQ(MPI_File_prefetch_write_at(fh, 0, 1, MPI_BYTE), MPI_SUCCESS);
  EXPECT_EQ(MPI_File_prefetch_sync(fh), MPI_SUCCESS);
  EXPECT_EQ(MPI_File_prefetch_read(fh, &byte, 1, MPI_BYTE, &got), MPI_SUCCESS);
  EXPECT_EQ(got, 0U);
  EXPECT_EQ(MPI_File_prefetch_read_at(fh, 0, &byte, 1, MPI_BYTE, nullptr), MPI_SUCCESS);
  EXPECT_EQ(byte, 'x');
}

TEST_F(MpiFilePrefetchTest, EveryKindOfPrefetchFetchesItsRangeAndMovesItsPointer) {
  MPI_File_prefetch(kFile, 4096, MPI_BYTE);
  MPI_File_prefetch_all(kFile, 512, MPI_DOUBLE);
  awaitCovered(0, 8192);
  MPI_File_prefetch_seek(kFile, 100 * kPage, MPI_SEEK_SET);
  MPI_File_prefetch(kFile, 4096, MPI_BYTE);
  awaitCovered(100 * kPage, 4096);
  MPI_File_prefetch_at(kFile, 20 * kPage, 4096, MPI_BYTE);
  MPI_File_prefetch_at_all(kFile, 30 * kPage, 4096, MPI_BYTE);
  awaitCovered(20 * kPage, 4096);
  awaitCovered(30 * kPage, 4096);
  EXPECT_FALSE(isCovered(40 * kPage, 1));
}

TEST_F(MpiFilePrefetchTest, APrefetchByHandWaitsForTheWriteThatWasAnnouncedBeforeIt) {
  MPI_File_prefetch_at(kFile, 9 * kPage, 4096, MPI_BYTE); // before it: does not wait
  MPI_File_prefetch_write_at(kFile, 9 * kPage, 2 * 4096, MPI_BYTE);
  MPI_File_prefetch_at(kFile, 10 * kPage, 4096, MPI_BYTE);
  MPI_File_prefetch_at(kFile, 20 * kPage, 4096, MPI_BYTE);
  awaitCovered(9 * kPage, 4096);
  awaitCovered(20 * kPage, 4096); // the courier has come past the one before
  EXPECT_FALSE(isCovered(10 * kPage, 4096));

  const std::vector<char> news(2 * 4096, 'n');
  EXPECT_EQ(pwrite(fd_, news.data(), news.size(), 9 * kPage), static_cast<ssize_t>(news.size()));
  const std::array<forerun_range, 2> parts{{{9 * kPage, 4096 + 100}, {10 * kPage + 100, 3996}}};
  door().written(handle_, parts.data(), 1);
  MPI_File_prefetch_at(kFile, 30 * kPage, 4096, MPI_BYTE);
  awaitCovered(30 * kPage, 4096);
  EXPECT_FALSE(isCovered(10 * kPage, 4096)) << "a part of it is still to be written";
  door().written(handle_, &parts[1], 1);
  awaitCovered(10 * kPage, 4096);
  std::vector<char> bytes(4096);
  std::size_t got = 0;
  std::uint64_t ticket = 0;
  EXPECT_EQ(door().read(handle_, bytes.data(), 10 * kPage, bytes.size(), &got, &ticket), 1);
  EXPECT_EQ(got, bytes.size());
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()), std::string(4096, 'n'));
}

TEST_F(MpiFilePrefetchTest, AnAnnouncedWriteHoldsNothingBackBeyondTheNextEpoch) {
  MPI_File_prefetch_write_at(kFile, 10 * kPage, 4096, MPI_BYTE);
  MPI_File_prefetch_at(kFile, 10 * kPage, 4096, MPI_BYTE);
  MPI_File_prefetch_at(kFile, 20 * kPage, 4096, MPI_BYTE);
  awaitCovered(20 * kPage, 4096);
  EXPECT_FALSE(isCovered(10 * kPage, 4096));
  door().epoch(handle_, 0);
  awaitCovered(10 * kPage, 4096);
  // This one waits when the file is closed, and is forgotten with it.
  MPI_File_prefetch_write_at(kFile, 40 * kPage, 4096, MPI_BYTE);
  MPI_File_prefetch_at(kFile, 40 * kPage, 4096, MPI_BYTE);
}

TEST_F(MpiFilePrefetchTest, SharedAndOrderedPrefetchesFollowOneAnother) {
  MPI_File_prefetch_shared(kFile, 4096, MPI_BYTE);
  MPI_File_prefetch_ordered(kFile, 4096, MPI_BYTE);
  awaitCovered(0, 8192);
}

TEST_F(MpiFilePrefetchTest, PrefetchesByHandFollowTheViewOfTheFile) {
  MPI_Datatype everyOther = MPI_DATATYPE_NULL; // 4 KiB of 64
  MPI_Type_vector(2, 4096, 65536, MPI_BYTE, &everyOther);
  door().view(handle_, 4096, MPI_BYTE, everyOther);
  MPI_Type_free(&everyOther);
  MPI_File_prefetch(kFile, 8192, MPI_BYTE);
  awaitCovered(4096, 4096);
  awaitCovered(4096 + 65536, 4096);
  EXPECT_FALSE(isCovered(0, 4096));
  EXPECT_FALSE(isCovered(8192, 4096));
}

TEST_F(MpiFilePrefetchTest, ReadsByHandBringTheBytesOfTheFile) {
  MPI_File_prefetch_set_view(kFile, 100, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  std::vector<char> bytes(300000);
  std::size_t got = 0;
  MPI_File_prefetch_read_at(kFile, 10, bytes.data(), 75000, MPI_INT, &got);
  ASSERT_EQ(got, bytes.size());
  for (std::size_t n = 0; n < got; ++n)
    ASSERT_EQ(bytes[n], byteAt(140 + n)) << n;
  MPI_File_prefetch_read(kFile, bytes.data(), 2, MPI_INT, &got);
  MPI_File_prefetch_read(kFile, bytes.data(), 2, MPI_INT, &got);
  EXPECT_EQ(got, 8U);
  EXPECT_EQ(bytes[0], byteAt(108));
}

/// (But for writes by hand, which are kept until they are made.)
TEST_F(MpiFilePrefetchTest, InTheSteadyStateNothingIsAllocated) {
  MPI_File_prefetch_at(kFile, 0, 1, MPI_DOUBLE);
  awaitCovered(0, 8);
  const std::size_t before = allocations;
  for (int i = 0; i < 50; ++i) {
    MPI_File_prefetch_at(kFile, i, 16, MPI_DOUBLE);
    MPI_File_prefetch(kFile, 16, MPI_INT);
    MPI_File_prefetch_seek(kFile, 3, MPI_SEEK_CUR);
    MPI_File_prefetch_shared(kFile, 16, MPI_INT);
    MPI_File_prefetch_sync(kFile);
    char byte = 0;
    MPI_File_prefetch_read_at(kFile, i, &byte, 1, MPI_CHAR, nullptr);
  }
  EXPECT_EQ(allocations, before);
}

// ---- on the pre-execution thread ----

struct Ahead {
  MPI_File file;
  std::atomic<int> *stage;
  char *bytes;
};

/// Two reads ahead of the main thread; what it has read itself is a hit for the main thread.
void preExecute(void *argument) {
  const Ahead &ahead = *static_cast<const Ahead *>(argument);
  const MPI_File file = forerun_pre_open(0);
  if (file != ahead.file)
    return;
  forerun_pre_at(1);
  MPI_File_prefetch_set_view(file, 8192, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  MPI_File_prefetch(file, 1024, MPI_INT);
  forerun_pre_at(2);
  MPI_File_prefetch_read(file, ahead.bytes, 4, MPI_BYTE, nullptr);
  ahead.stage->store(1);
  ahead.stage->notify_one();
}

TEST_F(MpiFilePrefetchTest, ThePreExecutionThreadHasAPointerAndAViewOfItsOwn) {
  std::atomic<int> stage{0};
  std::array<char, 4> bytes{};
  const Ahead ahead{kFile, &stage, bytes.data()};
  forerun_main_launch(preExecute, &ahead, sizeof(ahead), 3);
  theProcess().noteOpened(describe(*handle_, handle_->generation));
  forerun_main_done(0, MPI_SUCCESS);
  stage.wait(0);
  EXPECT_EQ(bytes[0], byteAt(8192 + 4096));
  EXPECT_EQ(bytes[3], byteAt(8192 + 4096 + 3));
  awaitCovered(8192, 4096);
  std::size_t got = 0;
  MPI_File_prefetch_read(kFile, bytes.data(), 1, MPI_BYTE, &got);
  EXPECT_EQ(bytes[0], byteAt(0)) << "the other pointer has not moved";
}

} // namespace
} // namespace forerun

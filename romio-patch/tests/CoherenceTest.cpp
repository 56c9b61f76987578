// SPDX-License-Identifier: Apache-2.0
// What the stacked driver reports of writes and of everything else that changes a file; and that
// the cache serves nothing where the file itself must be read.
#include "MpiTest.h"
#include "TestDoor.h"

#include <cstring>
#include <functional>
#include <thread>

namespace forerun::test {
namespace {

constexpr int kSector = 4096;
constexpr int kFileBytes = 16 * kSector;

/// Where \p owner's half of the file begins.
MPI_Offset halfOf(MPI_Offset owner) { return owner * (kFileBytes / 2); }

/// A file opened through a caching door.
class BehindADoor : public testing::Test {
protected:
  void open(std::initializer_list<std::pair<const char *, const char *>> hints = {},
            const std::string &prefix = {}) {
    setDoorMode(DoorMode::On);
    setDoorLies(false);
    const Hints info(hints);
    fh_ = openFile(prefix + file_.path(), MPI_MODE_RDWR, info);
    before_ = doorCounters();
  }
  void TearDown() override {
    if (fh_ != MPI_FILE_NULL)
      MPI_File_close(&fh_);
    setDoorLies(false);
  }

  std::vector<char> readAt(MPI_Offset offset, int length) {
    std::vector<char> buffer(length, '#');
    EXPECT_EQ(MPI_SUCCESS,
              MPI_File_read_at(fh_, offset, buffer.data(), length, MPI_BYTE, MPI_STATUS_IGNORE));
    return buffer;
  }

  const TestFile file_{kFileBytes};
  MPI_File fh_ = MPI_FILE_NULL;
  DoorCounters before_{};
};

// ---- reads ----

TEST_F(BehindADoor, WhatWasReadIsServedTheNextTime) {
  open();
  EXPECT_EQ(bytesAt(0, std::size_t{2} * kSector), readAt(0, 2 * kSector));
  EXPECT_EQ(before_.misses + 1, doorCounters().misses);
  EXPECT_EQ(bytesAt(100, kSector), readAt(100, kSector));
  EXPECT_EQ(before_.hits + 1, doorCounters().hits);
}

TEST_F(BehindADoor, ANonBlockingReadThatGoesToTheFileIsToldOnce) {
  open();
  char byte = 0;
  for (const std::uint64_t started : {1U, 1U}) { // the second one is served
    MPI_Request request;
    MPI_File_iread_at(fh_, rank(), &byte, 1, MPI_BYTE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT_EQ(before_.started + started, doorCounters().started);
    fillDoor(fh_, 0, kFileBytes);
  }
  EXPECT_EQ(before_.misses, doorCounters().misses);
}

TEST_F(BehindADoor, ADoorThatBreaksItsPromiseCostsTimeOnly) {
  open({{"romio_cb_read", "enable"}});
  const Type interleaved(1, 64, 64 * ranks(), 64 * rank());
  MPI_File_set_view(fh_, 0, MPI_BYTE, interleaved, "native", MPI_INFO_NULL);
  fillDoor(fh_, 0, kFileBytes);
  setDoorLies(true);
  std::vector<char> independent(1024), collective(1024);
  MPI_File_read_at(fh_, 0, independent.data(), 1024, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_read_at_all(fh_, 0, collective.data(), 1024, MPI_BYTE, MPI_STATUS_IGNORE);
  EXPECT_EQ(independent, collective);
  EXPECT_EQ(byteAt(64 * rank()), collective[0]);
  EXPECT_EQ(byteAt(64 * (ranks() + rank()) + 1), collective[65]);
}

TEST_F(BehindADoor, AFailedReadIsTheFileSystemsFailureAndNotReported) {
  open();
  failReads(true);
  char byte;
  const int code = MPI_File_read_at(fh_, 0, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
  failReads(false);
  EXPECT_EQ(MPI_ERR_IO, errorClass(code));
  EXPECT_EQ(before_.misses, doorCounters().misses);
  EXPECT_EQ(bytesAt(0, 1), readAt(0, 1));
}

TEST_F(BehindADoor, ACollectiveReadOfCachedDataExchangesNothing) {
  open({{"romio_cb_read", "enable"}});
  const Type interleaved(1, 64, 64 * ranks(), 64 * rank());
  MPI_File_set_view(fh_, 0, MPI_BYTE, interleaved, "native", MPI_INFO_NULL);
  fillDoor(fh_, 0, kFileBytes);
  std::vector<char> buffer(1024);
  const int exchangesBefore = exchanges();
  MPI_File_read_all(fh_, buffer.data(), 1024, MPI_BYTE, MPI_STATUS_IGNORE);
  EXPECT_EQ(exchangesBefore, exchanges());
  EXPECT_EQ(byteAt(64 * rank()), buffer[0]);
  EXPECT_EQ(before_.misses, doorCounters().misses);
}

TEST_F(BehindADoor, OneRankWithoutTheDataMakesAllExchange) {
  open({{"romio_cb_read", "enable"}});
  const Type interleaved(1, 64, 64 * ranks(), 64 * rank());
  MPI_File_set_view(fh_, 0, MPI_BYTE, interleaved, "native", MPI_INFO_NULL);
  if (rank() == 0)
    fillDoor(fh_, 0, kFileBytes);
  std::vector<char> buffer(1024);
  const int exchangesBefore = exchanges();
  MPI_File_read_all(fh_, buffer.data(), 1024, MPI_BYTE, MPI_STATUS_IGNORE);
  EXPECT_LT(exchangesBefore, exchanges());
  EXPECT_EQ(byteAt(64 * rank()), buffer[0]);
}

TEST_F(BehindADoor, AgreementsThatFailAreSoughtSeldom) {
  open({{"romio_cb_read", "enable"}});
  std::vector<char> buffer(64);
  const auto read = [&](int times) {
    const std::uint64_t asked = doorCounters().coveredAsked;
    for (int i = 0; i < times; i++) {
      emptyDoor();
      MPI_File_read_at_all(fh_, 0, buffer.data(), 64, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    return doorCounters().coveredAsked - asked;
  };
  EXPECT_EQ(4u, read(4));
  EXPECT_EQ(0u, read(15));
  EXPECT_EQ(1u, read(1));
  EXPECT_EQ(1u, read(16));
}

// ---- reads that must see the file ----

/// A write with holes; the file changes in the holes without the cache's knowledge, and must keep
/// these changes.
void holesSurvive(const TestFile &file, MPI_File fh, const std::function<void(MPI_File)> &write) {
  fillDoor(fh, 0, kFileBytes);
  MPI_Barrier(MPI_COMM_WORLD);
  const std::vector<char> changed(kFileBytes, 'X');
  if (rank() == 0)
    file.poke(0, changed);
  MPI_Barrier(MPI_COMM_WORLD);
  write(fh);
  MPI_File_sync(fh);
  MPI_Barrier(MPI_COMM_WORLD);
  const std::vector<char> contents = file.contents();
  for (int i = 0; i < kFileBytes; i++)
    ASSERT_TRUE(contents[i] == 'X' || contents[i] == 'w') << "old byte at " << i;
}

TEST_F(BehindADoor, AStridedWriteReadsItsHolesFromTheFile) {
  for (const char *prefix : {"", "nfs:"}) {
    open({{"romio_ds_write", "enable"}}, prefix);
    holesSurvive(file_, fh_, [](MPI_File f) {
      const Type view(1, 8, 32, 8 * rank());
      MPI_File_set_view(f, 0, MPI_BYTE, view, "native", MPI_INFO_NULL);
      const std::vector<char> data(4000, 'w');
      MPI_File_write(f, data.data(), 4000, MPI_BYTE, MPI_STATUS_IGNORE);
    });
    MPI_File_close(&fh_);
  }
}

TEST_F(BehindADoor, ACollectiveWriteReadsItsHolesFromTheFile) {
  for (const char *prefix : {"", "nfs:"}) {
    open({{"romio_cb_write", "enable"}}, prefix);
    holesSurvive(file_, fh_, [](MPI_File f) {
      const Type view(1, 8, 32, 8 * rank());
      MPI_File_set_view(f, 0, MPI_BYTE, view, "native", MPI_INFO_NULL);
      const std::vector<char> data(4000, 'w');
      MPI_File_write_all(f, data.data(), 4000, MPI_BYTE, MPI_STATUS_IGNORE);
    });
    MPI_File_close(&fh_);
  }
}

TEST_F(BehindADoor, ANonBlockingCollectiveWriteReadsItsHolesFromTheFile) {
  for (const char *prefix : {"", "nfs:"}) {
    // Every rank aggregates data of another rank: its own door was told nothing of it.
    open({{"romio_cb_write", "enable"}, {"cb_config_list", "*:*"}}, prefix);
    holesSurvive(file_, fh_, [](MPI_File f) {
      const MPI_Offset half = halfOf(ranks() - 1 - rank());
      const Type view(1, 8, 32);
      MPI_File_set_view(f, half, MPI_BYTE, view, "native", MPI_INFO_NULL);
      const std::vector<char> data(8 * kSector / 4, 'w');
      MPI_Request request;
      MPI_File_iwrite_all(f, data.data(), 8 * kSector / 4, MPI_BYTE, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    });
    MPI_File_close(&fh_);
  }
}

TEST_F(BehindADoor, PreallocationWritesBackWhatTheFileHas) {
  open();
  holesSurvive(file_, fh_, [](MPI_File f) { MPI_File_preallocate(f, kFileBytes); });
}

TEST_F(BehindADoor, AtomicModeAsksNeverAndReadsTheFile) {
  open();
  fillDoor(fh_, 0, kFileBytes);
  MPI_File_set_atomicity(fh_, 1);
  if (rank() == 0)
    file_.poke(0, {'X'});
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ('X', readAt(0, 1)[0]);
  EXPECT_EQ(before_.reads, doorCounters().reads);
  MPI_File_set_atomicity(fh_, 0);
  EXPECT_EQ('X', readAt(0, 1)[0]);
  EXPECT_EQ(before_.reads + 1, doorCounters().reads);
}

TEST_F(BehindADoor, AnAggregatorShowsEveryRankItsOwnWrites) {
  open({{"romio_cb_read", "enable"}, {"cb_config_list", "*:*"}});
  fillDoor(fh_, 0, kFileBytes);
  MPI_Barrier(MPI_COMM_WORLD);
  // Every rank writes in the other's part of the file, and reads that back collectively.
  const MPI_Offset offset = halfOf(ranks() - 1 - rank());
  const std::vector<char> data(100, static_cast<char>('a' + rank()));
  MPI_File_write_at(fh_, offset, data.data(), 100, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  std::vector<char> buffer(100);
  MPI_File_read_at_all(fh_, offset, buffer.data(), 100, MPI_BYTE, MPI_STATUS_IGNORE);
  EXPECT_EQ(data, buffer);
  MPI_Request request;
  MPI_File_iread_at_all(fh_, offset, buffer.data(), 100, MPI_BYTE, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT_EQ(data, buffer) << "non-blocking";
}

// ---- what is told of writes ----

TEST_F(BehindADoor, EveryWriteIsReadBack) {
  using Write = std::function<int(MPI_File, MPI_Offset, const char *, int)>;
  const std::vector<Write> writes = {
      [](MPI_File f, MPI_Offset o, const char *b, int n) {
        return MPI_File_write_at(f, o, b, n, MPI_BYTE, MPI_STATUS_IGNORE);
      },
      [](MPI_File f, MPI_Offset o, const char *b, int n) {
        return MPI_File_write_at_all(f, o, b, n, MPI_BYTE, MPI_STATUS_IGNORE);
      },
      [](MPI_File f, MPI_Offset o, const char *b, int n) {
        MPI_File_seek(f, o, MPI_SEEK_SET);
        return MPI_File_write(f, b, n, MPI_BYTE, MPI_STATUS_IGNORE);
      },
      [](MPI_File f, MPI_Offset o, const char *b, int n) {
        MPI_Request request;
        MPI_File_iwrite_at(f, o, b, n, MPI_BYTE, &request);
        return MPI_Wait(&request, MPI_STATUS_IGNORE);
      },
      [](MPI_File f, MPI_Offset o, const char *b, int n) {
        MPI_Request request;
        MPI_File_iwrite_at_all(f, o, b, n, MPI_BYTE, &request);
        return MPI_Wait(&request, MPI_STATUS_IGNORE);
      },
      [](MPI_File f, MPI_Offset o, const char *b, int n) {
        MPI_File_write_at_all_begin(f, o, b, n, MPI_BYTE);
        return MPI_File_write_at_all_end(f, b, MPI_STATUS_IGNORE);
      },
  };
  for (const char *prefix : {"", "nfs:"}) {
    for (bool strided : {false, true}) {
      open({}, prefix);
      const Type view(1, 100, 100 * ranks(), 100 * rank());
      if (strided)
        MPI_File_set_view(fh_, 0, MPI_BYTE, view, "native", MPI_INFO_NULL);
      const MPI_Offset mine = strided ? 0 : halfOf(rank());
      for (std::size_t i = 0; i < writes.size(); i++) {
        fillDoor(fh_, 0, kFileBytes);
        const std::vector<char> data(5000, static_cast<char>('a' + i));
        EXPECT_EQ(MPI_SUCCESS, writes[i](fh_, mine + 300, data.data(), 5000));
        EXPECT_EQ(data, readAt(mine + 300, 5000)) << prefix << " write " << i << " " << strided;
      }
      MPI_File_close(&fh_);
    }
  }
}

TEST_F(BehindADoor, AStridedWriteTellsItsBlocksAndNothingElse) {
  open({{"romio_ds_write", "enable"}});
  // Blocks in every other sector, this rank's half of the file only.
  const Type view(4, 100, 2 * kSector, 0);
  MPI_File_set_view(fh_, halfOf(rank()), MPI_BYTE, view, "native", MPI_INFO_NULL);
  fillDoor(fh_, 0, kFileBytes);
  before_ = doorCounters();
  const std::vector<char> data(400, 'w');
  MPI_File_write_at(fh_, 0, data.data(), 400, MPI_BYTE, MPI_STATUS_IGNORE);
  EXPECT_EQ(before_.written + 4, doorCounters().written);
  MPI_File_set_view(fh_, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  const MPI_Offset hole = halfOf(rank()) + kSector;
  EXPECT_EQ(bytesAt(hole, kSector), readAt(hole, kSector));
  EXPECT_EQ(before_.hits + 1, doorCounters().hits) << "the sectors between are still there";
}

TEST_F(BehindADoor, ANonBlockingWriteIsToldBeforeItIsPosted) {
  open();
  const std::vector<char> data(100, 'w');
  MPI_Request request;
  MPI_File_iwrite_at(fh_, 0, data.data(), 100, MPI_BYTE, &request);
  EXPECT_EQ(before_.writing + 1, doorCounters().writing);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

TEST_F(BehindADoor, AFailedWriteIsToldToo) {
  setDoorMode(DoorMode::On);
  fh_ = openFile(file_.path(), MPI_MODE_RDWR);
  before_ = doorCounters();
  // No file can be this long.
  char byte = 'w';
  const MPI_Offset absurd = MPI_Offset{1} << 62;
  EXPECT_NE(MPI_SUCCESS, MPI_File_write_at(fh_, absurd, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE));
  EXPECT_EQ(before_.written + 1, doorCounters().written);
}

// ---- what is told of the rest ----

TEST_F(BehindADoor, WhatChangesTheFileStartsAnEpochOnEveryRank) {
  for (const char *prefix : {"", "nfs:"}) {
    open({}, prefix);
    MPI_File_sync(fh_);
    EXPECT_EQ(before_.epochs + 1, doorCounters().epochs) << "sync";
    MPI_File_set_size(fh_, kFileBytes + 1);
    EXPECT_EQ(before_.epochs + 2, doorCounters().epochs) << "set_size";
    MPI_File_preallocate(fh_, kFileBytes + 100);
    EXPECT_EQ(before_.epochs + 3, doorCounters().epochs) << "preallocate";
    MPI_File_seek_shared(fh_, 0, MPI_SEEK_SET);
    EXPECT_EQ(before_.epochs + 4, doorCounters().epochs) << "seek_shared";
    MPI_File_close(&fh_);
  }
}

TEST_F(BehindADoor, AFailingSyncOfAReadOnlyFileStartsAnEpoch) {
  setDoorMode(DoorMode::On);
  fh_ = openFile(file_.path(), MPI_MODE_RDONLY);
  before_ = doorCounters();
  EXPECT_EQ(MPI_ERR_READ_ONLY, errorClass(MPI_File_sync(fh_)));
  EXPECT_EQ(before_.epochs + 1, doorCounters().epochs);
}

TEST_F(BehindADoor, WhatChangesAWriteOnlyFileIsToldAndNothingElse) {
  for (const char *prefix : {"", "nfs:"}) {
    setDoorMode(DoorMode::On);
    fh_ = openFile(prefix + file_.path(), MPI_MODE_WRONLY);
    before_ = doorCounters();
    const Type view(2, 10, 20);
    MPI_File_set_view(fh_, 0, MPI_BYTE, view, "native", MPI_INFO_NULL);
    const std::vector<char> data(40, 'w');
    MPI_File_write_at(fh_, 0, data.data(), 40, MPI_BYTE, MPI_STATUS_IGNORE);
    EXPECT_EQ(before_.written + 4, doorCounters().written) << prefix;
    MPI_File_set_view(fh_, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_Request request;
    MPI_File_iwrite_at(fh_, 0, data.data(), 10, MPI_BYTE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT_EQ(before_.writing + before_.written + 5,
              doorCounters().writing + doorCounters().written)
        << prefix;
    MPI_File_set_atomicity(fh_, 1);
    MPI_File_set_info(fh_, MPI_INFO_NULL);
    MPI_File_set_size(fh_, kFileBytes);
    MPI_File_sync(fh_);
    EXPECT_EQ(before_.epochs + 2, doorCounters().epochs) << prefix;
    MPI_File_close(&fh_);
  }
}

TEST_F(BehindADoor, ViewsAndHintsGoThrough) {
  open();
  const Type view(2, 10, 20);
  MPI_File_set_view(fh_, 7, MPI_BYTE, view, "native", MPI_INFO_NULL);
  EXPECT_EQ(before_.views + 1, doorCounters().views);
  MPI_Info used = MPI_INFO_NULL;
  MPI_File_get_info(fh_, &used);
  char value[MPI_MAX_INFO_VAL + 1] = "";
  int found = 0;
  MPI_Info_get(used, "forerun_cache", MPI_MAX_INFO_VAL, value, &found);
  EXPECT_STREQ("test", value);
  MPI_Info_free(&used);
}

TEST_F(BehindADoor, EveryOpenFileIsDetachedWhenItCloses) {
  open();
  MPI_File self = openFile(file_.path(), MPI_MODE_RDONLY, MPI_INFO_NULL, MPI_COMM_SELF);
  MPI_File writeOnly = openFile(file_.path(), MPI_MODE_WRONLY);
  EXPECT_EQ(before_.attached + 2, doorCounters().attached);
  char byte = 'w';
  MPI_File_write_at(writeOnly, 0, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_read_shared(self, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
  EXPECT_EQ('w', byte);
  MPI_File_close(&self);
  MPI_File_close(&writeOnly);
  MPI_File_close(&fh_);
  EXPECT_EQ(doorCounters().attached, doorCounters().detached);
}

TEST_F(BehindADoor, DeleteOnCloseDeletes) {
  setDoorMode(DoorMode::On);
  MPI_File doomed = openFile(file_.path() + ".doomed",
                             MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  char byte = 'w';
  MPI_File_write_at(doomed, rank(), &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_read_at(doomed, rank(), &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&doomed);
  EXPECT_EQ(MPI_ERR_NO_SUCH_FILE,
            errorClass(MPI_File_delete((file_.path() + ".doomed").c_str(), MPI_INFO_NULL)));
}

TEST_F(BehindADoor, ADeferredOpenIsAttachedWhenItHappens) {
  open({{"romio_no_indep_rw", "true"}, {"cb_nodes", "1"}, {"cb_config_list", "*:1"}});
  const bool aggregator = doorCounters().attached == before_.attached && rank() == 0;
  const std::uint64_t attachedAtOpen = doorCounters().attached;
  EXPECT_EQ(bytesAt(0, 100), readAt(0, 100));
  if (!aggregator) {
    EXPECT_EQ(attachedAtOpen + 1, doorCounters().attached);
  }
  std::vector<char> buffer(100);
  MPI_File_read_at_all(fh_, 0, buffer.data(), 100, MPI_BYTE, MPI_STATUS_IGNORE);
  EXPECT_EQ(bytesAt(0, 100), buffer);
  MPI_File_close(&fh_);
  EXPECT_EQ(doorCounters().attached, doorCounters().detached);
}

// ---- threads ----

/// Writes and reads a file of its own, and checks every byte. Not by iread: libc's asynchronous I/O
/// creates threads that ThreadSanitizer cannot track.
void useOneFile(const std::string &path, char mark) {
  MPI_File fh = openFile(path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                         MPI_INFO_NULL, MPI_COMM_SELF);
  for (int round = 0; round < 50; round++) {
    const MPI_Offset offset = MPI_Offset{1000} * (round % 7);
    const std::vector<char> data(5000, static_cast<char>(mark + round));
    std::vector<char> buffer(5000);
    MPI_File_write_at(fh, offset, data.data(), 5000, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_read_at(fh, offset, buffer.data(), 5000, MPI_BYTE, MPI_STATUS_IGNORE);
    EXPECT_EQ(data, buffer);
  }
  MPI_File_close(&fh);
}

TEST_F(BehindADoor, ThreadsUseFilesOfTheirOwnAtTheSameTime) {
  open();
  std::vector<std::thread> threads;
  for (char mark : {'0', 'A', 'a'})
    threads.emplace_back(useOneFile, file_.path() + "." + std::to_string(rank()) + mark, mark);
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Door, OfAnotherVersionIsNotRegistered) {
  forerun_door other{};
  other.version = FORERUN_DOOR_VERSION + 1;
  EXPECT_EQ(1, forerun_mpiio_register(&other));
}

} // namespace
} // namespace forerun::test

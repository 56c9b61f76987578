// SPDX-License-Identifier: Apache-2.0
#include "calls/PrefetchCall.h"
#include "thread/PrivateFetch.h"

#include "base/EventCount.h"
#include "files/HandleTable.h"
#include "types/FileView.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <gmock/gmock.h>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace forerun {

// For GoogleTest's messages.
std::ostream &operator<<(std::ostream &out, const Record &record) {
  return out << "kind " << static_cast<int>(record.kind) << " [" << record.offset << ", +"
             << record.length << (record.last ? ") last" : ")");
}

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr CallId kSite{3, 7};

char file;
const auto kFile = reinterpret_cast<MPI_File>(&file);

MATCHER_P3(is, kind, offset, length, "") {
  return arg.kind == kind && arg.offset == std::uint64_t(offset) &&
         arg.length == std::uint64_t(length);
}

class PrefetchCallTest : public testing::Test {
protected:
  PrefetchCallTest() : stream_(64, wake_) { handle_ = table_->insert(kFile); }

  /// On the pre-execution thread, at a call that the main thread has not made yet.
  PrefetchCall ahead() { return make(kSite, false); }
  PrefetchCall late() { return make(kSite, true); }
  PrefetchCall byHand() {
    return {describe(*handle_, handle_->generation), pointer(), stream_, dirt_, kNumber};
  }

  PrefetchPointer &pointer() { return handle_->hand; }

  std::vector<Record> records() {
    std::vector<Record> taken;
    for (const Record *record = stream_.front(); record != nullptr; record = stream_.front()) {
      taken.push_back(*record);
      stream_.pop();
    }
    return taken;
  }

  /// A view of every other int, from byte 100 on.
  void seeEveryOther(int blocks, int stride) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(blocks, 1, stride, MPI_INT, &type);
    ahead().setView(100, MPI_INT, type);
    MPI_Type_free(&type);
  }

  std::unique_ptr<HandleTable> table_ = std::make_unique<HandleTable>();
  forerun_handle *handle_ = nullptr;
  EventCount wake_;
  Stream stream_;
  HandDirt dirt_;
  static constexpr std::uint64_t kNumber = 7; ///< the file's

private:
  PrefetchCall make(CallId call, bool passed) {
    return {describe(*handle_, handle_->generation), pointer(), stream_, call, passed};
  }
};

TEST_F(PrefetchCallTest, AReadIsAnnouncedAtThePointerAndMovesIt) {
  ahead().read(100);
  ahead().read(50);
  EXPECT_THAT(records(),
              ElementsAre(is(RecordKind::Prefetch, 0, 100), is(RecordKind::Prefetch, 100, 50)));
}

TEST_F(PrefetchCallTest, AWriteByHandIsDirtyAtOnceAndInItsExactBytes) {
  byHand().read(10);
  seeEveryOther(4, 2); // ints at 100, 108, 116, ...
  byHand().write(12);
  byHand().read(4);
  const std::vector<Record> made = records();
  ASSERT_EQ(made.size(), 2U);
  EXPECT_EQ(pointer().position, 4U);
  for (const std::uint64_t at : {100, 108, 116})
    EXPECT_TRUE(dirt_.holds(kNumber, at, 4, made[1].call.occurrence)) << at;
  EXPECT_FALSE(dirt_.holds(kNumber, 104, 4, made[1].call.occurrence));
  EXPECT_FALSE(dirt_.holds(kNumber, 124, 100, made[1].call.occurrence));
  EXPECT_FALSE(dirt_.holds(kNumber, 0, 1000, made[0].call.occurrence)) << "it came before";
  EXPECT_FALSE(dirt_.holds(kNumber + 1, 0, 1000, made[1].call.occurrence)) << "another file";
}

TEST_F(PrefetchCallTest, ARecordSaysWhoseItIs) {
  ahead().read(100);
  const std::vector<Record> made = records();
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].slot, handle_->slot);
  EXPECT_EQ(made[0].generation, handle_->generation.load());
  EXPECT_EQ(made[0].call.site, kSite.site);
  EXPECT_EQ(made[0].call.occurrence, kSite.occurrence);
  EXPECT_TRUE(made[0].last);
}

TEST_F(PrefetchCallTest, AnExplicitOffsetCountsEtypesAndMovesNothing) {
  ahead().setView(16, MPI_DOUBLE, MPI_DOUBLE);
  ahead().readAt(10, 80);
  ahead().read(8);
  EXPECT_THAT(records(),
              ElementsAre(is(RecordKind::Prefetch, 96, 80), is(RecordKind::Prefetch, 16, 8)));
}

TEST_F(PrefetchCallTest, TheFirstReadBeginsWhereTheOpenLeftThePointer) {
  handle_->startByte = 500;
  ahead().read(10);
  EXPECT_THAT(records(), ElementsAre(is(RecordKind::Prefetch, 500, 10)));
}

TEST_F(PrefetchCallTest, AFileOpenedAnewBeginsAnew) {
  seeEveryOther(2, 2);
  ahead().read(4);
  records();
  table_->remove(handle_);
  EXPECT_EQ(table_->insert(kFile), handle_);
  ahead().read(100);
  EXPECT_THAT(records(), ElementsAre(is(RecordKind::Prefetch, 0, 100)));
}

TEST_F(PrefetchCallTest, SeeksAreInEtypes) {
  ahead().setView(0, MPI_INT, MPI_INT);
  ahead().seek(5, MPI_SEEK_SET);
  ahead().read(4);
  ahead().seek(-2, MPI_SEEK_CUR);
  ahead().read(4);
  EXPECT_THAT(records(),
              ElementsAre(is(RecordKind::Prefetch, 20, 4), is(RecordKind::Prefetch, 16, 4)));
}

TEST_F(PrefetchCallTest, ASeekFromTheEndAsksForTheFilesSize) {
  const int sized = memfd_create("forerun", 0);
  ASSERT_EQ(ftruncate(sized, 1002), 0);
  handle_->fd = sized;
  ahead().setView(0, MPI_INT, MPI_INT);
  ahead().seek(-2, MPI_SEEK_END); // the file ends in the middle of int 250
  ahead().read(4);
  EXPECT_THAT(records(), ElementsAre(is(RecordKind::Prefetch, 249 * 4, 4)));
  handle_->fd = -1;
  close(sized);
}

TEST_F(PrefetchCallTest, AfterASeekToNowhereNothingIsAnnouncedUntilASeekToAPlace) {
  ahead().seek(0, MPI_SEEK_END); // no descriptor: no size
  ahead().read(4);
  ahead().seek(4, MPI_SEEK_CUR);
  ahead().read(4);
  ahead().write(4);
  EXPECT_THAT(records(), IsEmpty());
  ahead().seek(-1, MPI_SEEK_SET);
  ahead().read(4);
  EXPECT_THAT(records(), IsEmpty());
  ahead().seek(1, MPI_SEEK_SET);
  ahead().read(4);
  EXPECT_THAT(records(), ElementsAre(is(RecordKind::Prefetch, 1, 4)));
}

TEST_F(PrefetchCallTest, RangesLessThanASectorApartAreOne) {
  seeEveryOther(10, 2);
  ahead().read(12);
  EXPECT_THAT(records(), ElementsAre(is(RecordKind::Prefetch, 100, 20)));
}

TEST_F(PrefetchCallTest, RangesASectorApartAreRecordsOfOneCall) {
  seeEveryOther(3, 2048);
  ahead().read(12);
  const std::vector<Record> made = records();
  EXPECT_THAT(made,
              ElementsAre(is(RecordKind::Prefetch, 100, 4), is(RecordKind::Prefetch, 100 + 8192, 4),
                          is(RecordKind::Prefetch, 100 + 16384, 4)));
  EXPECT_FALSE(made[0].last);
  EXPECT_FALSE(made[1].last);
  EXPECT_TRUE(made[2].last);
}

TEST_F(PrefetchCallTest, AReadOfNothingAnnouncesNothing) {
  ahead().read(0);
  EXPECT_THAT(records(), IsEmpty());
}

TEST_F(PrefetchCallTest, AViewThatIsNotKnownAnnouncesNothing) {
  ahead().setView(0, MPI_INT, MPI_DATATYPE_NULL);
  ahead().read(8);
  EXPECT_THAT(records(), IsEmpty());
}

TEST_F(PrefetchCallTest, AnOffsetThatOverflowsAnnouncesNothing) {
  ahead().setView(0, MPI_DOUBLE, MPI_DOUBLE);
  ahead().readAt(std::numeric_limits<MPI_Offset>::max(), 8);
  ahead().readAt(std::numeric_limits<MPI_Offset>::max() / 8, 8);
  EXPECT_THAT(records(), IsEmpty());
}

TEST_F(PrefetchCallTest, SharedReadsOfOneSizeAreTakenInTurnByTheRanks) {
  handle_->rank = 1;
  handle_->ranks = 3;
  ahead().readShared(10);
  ahead().readShared(10);
  ahead().read(5); // another pointer
  EXPECT_THAT(records(),
              ElementsAre(is(RecordKind::Prefetch, 10, 10), is(RecordKind::Prefetch, 40, 10),
                          is(RecordKind::Prefetch, 0, 5)));
}

TEST_F(PrefetchCallTest, ANewViewTakesBothPointersToItsBeginning) {
  ahead().read(8);
  ahead().readShared(8);
  ahead().setView(1000, MPI_BYTE, MPI_BYTE);
  records();
  ahead().read(8);
  ahead().readShared(8);
  EXPECT_THAT(records(),
              ElementsAre(is(RecordKind::Prefetch, 1000, 8), is(RecordKind::Prefetch, 1000, 8)));
}

TEST_F(PrefetchCallTest, AWriteIsADirtyRangeAndMovesThePointer) {
  ahead().write(10);
  ahead().writeAt(100, 5);
  ahead().read(1);
  EXPECT_THAT(records(), ElementsAre(is(RecordKind::Write, 0, 10), is(RecordKind::Write, 100, 5),
                                     is(RecordKind::Prefetch, 10, 1)));
}

TEST_F(PrefetchCallTest, WhatIsLateIsDroppedButMovesThePointers) {
  late().read(10);
  late().readAt(3, 10);
  late().readShared(10);
  late().write(10);
  late().writeAt(3, 10);
  late().sync();
  EXPECT_THAT(records(), IsEmpty());
  ahead().read(1);
  ahead().readShared(1);
  EXPECT_THAT(records(),
              ElementsAre(is(RecordKind::Prefetch, 20, 1), is(RecordKind::Prefetch, 10, 1)));
}

TEST_F(PrefetchCallTest, ByHandReadsAreAnnouncedAndWritesOnlyMoveThePointer) {
  byHand().write(10);
  byHand().sync();
  byHand().read(5);
  EXPECT_THAT(records(), ElementsAre(is(RecordKind::Prefetch, 10, 5)));
}

TEST_F(PrefetchCallTest, ASynchronisationPointIsARecord) {
  ahead().sync();
  EXPECT_THAT(records(), ElementsAre(is(RecordKind::Sync, 0, 0)));
}

/// Answers requests from a file that has at every offset that offset's last byte.
class Librarian {
public:
  Librarian(Stream &stream, std::uint64_t fileBytes)
      : stream_(stream), fileBytes_(fileBytes), thread_([this] { answerAll(); }) {}
  ~Librarian() {
    over_ = true;
    thread_.join();
  }

private:
  void answerAll() {
    while (!over_) {
      const Record *record = stream_.front();
      if (record == nullptr) {
        std::this_thread::yield();
        continue;
      }
      const std::uint64_t end = std::min(record->offset + record->length, fileBytes_);
      std::vector<char> bytes;
      bytes.reserve(record->length); // never null, as the courier's
      for (std::uint64_t at = record->offset; at < end; ++at)
        bytes.push_back(static_cast<char>(at));
      stream_.answer(bytes.data(), bytes.size(), true);
      // The bytes are valid until the next request.
      answers_.push_back(std::move(bytes));
      stream_.pop();
    }
  }

  Stream &stream_;
  std::uint64_t fileBytes_;
  std::vector<std::vector<char>> answers_;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

TEST_F(PrefetchCallTest, BroughtBytesLieAsTheViewAndTheDatatypeSay) {
  seeEveryOther(4, 2); // ints at 100, 108, 116, 124, 128, ...
  MPI_Datatype pairs = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_INT, &pairs);
  const Librarian librarian(stream_, 1000);
  std::array<char, 12> buffer{};
  EXPECT_EQ(ahead().bring(buffer.data(), 1, pairs).bytes, 8U);
  EXPECT_THAT(buffer, ElementsAre(100, 101, 102, 103, 0, 0, 0, 0, 108, 109, 110, 111));
  std::array<char, 4> next{};
  EXPECT_EQ(ahead().bring(next.data(), 1, MPI_INT).bytes, 4U) << "the pointer has moved";
  EXPECT_THAT(next, ElementsAre(116, 117, 118, 119));
  EXPECT_EQ(ahead().bringAt(1, next.data(), 1, MPI_INT).bytes, 4U);
  EXPECT_THAT(next, ElementsAre(108, 109, 110, 111));
  MPI_Type_free(&pairs);
}

TEST_F(PrefetchCallTest, ALateReadStillBringsItsBytes) {
  const Librarian librarian(stream_, 1000);
  std::array<char, 2> buffer{};
  EXPECT_EQ(late().bringAt(7, buffer.data(), 2, MPI_BYTE).bytes, 2U);
  EXPECT_THAT(buffer, ElementsAre(7, 8));
}

TEST_F(PrefetchCallTest, ALargeReadIsBroughtInPieces) {
  const Librarian librarian(stream_, std::uint64_t{1} << 30);
  constexpr std::size_t kBytes = 2 * PrivateFetch::kMaxBytes + 4321;
  std::vector<char> buffer(kBytes);
  ASSERT_EQ(ahead().bringAt(5, buffer.data(), kBytes, MPI_BYTE).bytes, kBytes);
  for (std::size_t i = 0; i < kBytes; ++i)
    ASSERT_EQ(buffer[i], static_cast<char>(i + 5));
}

TEST_F(PrefetchCallTest, AtTheEndOfTheFileTheRestOfTheBufferIsLeftAsItWas) {
  const Librarian librarian(stream_, 10);
  std::array<char, 4> buffer{'x', 'x', 'x', 'x'};
  EXPECT_EQ(ahead().bringAt(8, buffer.data(), 4, MPI_BYTE).bytes, 2U);
  EXPECT_THAT(buffer, ElementsAre(8, 9, 'x', 'x'));
}

TEST_F(PrefetchCallTest, ALateShortReadIsFilledWithZeros) {
  const Librarian librarian(stream_, 10);
  std::array<char, 4> buffer{'x', 'x', 'x', 'x'};
  EXPECT_EQ(late().bringAt(8, buffer.data(), 4, MPI_BYTE).bytes, 2U);
  EXPECT_THAT(buffer, ElementsAre(8, 9, 0, 0));
  buffer.fill('x');
  EXPECT_EQ(byHand().bringAt(8, buffer.data(), 4, MPI_BYTE).bytes, 2U);
  EXPECT_THAT(buffer, ElementsAre(8, 9, 'x', 'x')) << "a user's buffer";
  handle_->amode = MPI_MODE_RDONLY;
  buffer.fill('x');
  EXPECT_EQ(late().bringAt(8, buffer.data(), 4, MPI_BYTE).bytes, 2U);
  EXPECT_THAT(buffer, ElementsAre(8, 9, 'x', 'x')) << "no one cuts it";
}

TEST_F(PrefetchCallTest, AnOrderedReadBringsThisRanksPart) {
  const Librarian librarian(stream_, 100);
  handle_->rank = 1;
  handle_->ranks = 3;
  std::array<char, 2> buffer{};
  EXPECT_EQ(ahead().bringShared(buffer.data(), 2, MPI_BYTE).bytes, 2U);
  EXPECT_THAT(buffer, ElementsAre(2, 3));
  EXPECT_EQ(ahead().bringShared(buffer.data(), 2, MPI_BYTE).bytes, 2U);
  EXPECT_THAT(buffer, ElementsAre(8, 9));
}

TEST_F(PrefetchCallTest, TheEndOfTheFileHoldsThePointerAndIsNoFailure) {
  const Librarian librarian(stream_, 10);
  std::array<char, 8> buffer{};
  EXPECT_EQ(ahead().bring(buffer.data(), 8, MPI_BYTE).bytes, 8U);
  const Brought rest = ahead().bring(buffer.data(), 8, MPI_BYTE);
  EXPECT_EQ(rest.bytes, 2U);
  EXPECT_FALSE(rest.failed);
  EXPECT_EQ(pointer().position, 10U);
}

TEST_F(PrefetchCallTest, PiecesBeyondTheEndOfAFileThatIsOnlyReadTakeNoTime) {
  const int sized = memfd_create("forerun", 0);
  ASSERT_EQ(ftruncate(sized, 1000), 0);
  handle_->fd = sized;
  handle_->amode = MPI_MODE_RDONLY;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(MPI_INT, 0, 8, &type);
  ahead().setView(0, MPI_INT, type);
  MPI_Type_free(&type);
  ahead().readAt(0, std::uint64_t{1} << 50); // looked at one by one: years
  EXPECT_THAT(records(), ElementsAre(is(RecordKind::Prefetch, 0, 1004)));
  handle_->fd = -1;
  close(sized);
}

TEST_F(PrefetchCallTest, TheSizeOfAFileThatIsOnlyReadTellsHowManyBytesAReadBrings) {
  const int sized = memfd_create("forerun", 0);
  ASSERT_EQ(ftruncate(sized, 1002), 0);
  handle_->fd = sized;
  handle_->amode = MPI_MODE_RDONLY;
  EXPECT_EQ(ahead().countAt(900, 50).bytes, 50U);
  EXPECT_EQ(ahead().countAt(1000, 50).bytes, 2U);
  EXPECT_EQ(ahead().countAt(2000, 50).bytes, 0U);
  EXPECT_EQ(ahead().count(1000).bytes, 1000U);
  EXPECT_EQ(ahead().count(1000).bytes, 2U);
  EXPECT_EQ(pointer().position, 1002U);
  EXPECT_THAT(records(),
              ElementsAre(is(RecordKind::Prefetch, 900, 50), is(RecordKind::Prefetch, 1000, 50),
                          is(RecordKind::Prefetch, 0, 1000), is(RecordKind::Prefetch, 1000, 1000)));
  handle_->fd = -1;
  close(sized);
}

TEST_F(PrefetchCallTest,
       OfAFileThatIsOnlyReadNothingIsAnnouncedThatLiesMoreThanASectorBeyondItsEnd) {
  const int sized = memfd_create("forerun", 0);
  ASSERT_EQ(ftruncate(sized, 8192), 0);
  handle_->fd = sized;
  handle_->amode = MPI_MODE_RDONLY;
  ahead().readAt(4096, 1 << 20);
  ahead().readAt(8192, 1 << 20); // shows where the end is
  ahead().readAt(8193, 1 << 20);
  byHand().readAt(1 << 20, 100);
  EXPECT_THAT(records(), ElementsAre(is(RecordKind::Prefetch, 4096, 8192),
                                     is(RecordKind::Prefetch, 8192, 4096)));
  ASSERT_EQ(ftruncate(sized, 16384), 0); // another process appends to it
  ahead().readAt(12288, 4096);
  handle_->amode = MPI_MODE_RDWR;
  ahead().readAt(1 << 20, 100);
  EXPECT_THAT(records(), ElementsAre(is(RecordKind::Prefetch, 12288, 4096),
                                     is(RecordKind::Prefetch, 1 << 20, 100)));
  handle_->fd = -1;
  close(sized);
}

TEST_F(PrefetchCallTest, InAViewWithHolesOnlyWhatIsSeenCounts) {
  const int sized = memfd_create("forerun", 0);
  ASSERT_EQ(ftruncate(sized, 120), 0);
  handle_->fd = sized;
  handle_->amode = MPI_MODE_RDONLY;
  seeEveryOther(4, 2); // ints at 100, 108, 116, 124, 128, ...
  EXPECT_EQ(ahead().countAt(0, 16).bytes, 12U);
  handle_->fd = -1;
  close(sized);
}

TEST_F(PrefetchCallTest, BehindTheEndOfAFileThatIsWrittenTheCountIsNotKnownAhead) {
  const int sized = memfd_create("forerun", 0);
  ASSERT_EQ(ftruncate(sized, 1002), 0);
  handle_->fd = sized;
  EXPECT_TRUE(ahead().countAt(1000, 50).failed);
  EXPECT_TRUE(ahead().count(1003).failed);
  EXPECT_EQ(pointer().position, 0U);
  EXPECT_THAT(records(), IsEmpty());
  EXPECT_EQ(ahead().countAt(900, 102).bytes, 102U);
  EXPECT_EQ(ahead().count(50).bytes, 50U);
  EXPECT_EQ(pointer().position, 50U);
  EXPECT_THAT(records(),
              ElementsAre(is(RecordKind::Prefetch, 900, 102), is(RecordKind::Prefetch, 0, 50)));
  handle_->fd = -1;
  close(sized);
}

TEST_F(PrefetchCallTest, BytesOfAClosedFileAreReadByItsName) {
  std::string path = testing::TempDir() + "forerun-closed-XXXXXX";
  const int fd = mkstemp(path.data());
  std::string text(40000, 'x');
  text.replace(30000, 7, "forerun");
  EXPECT_EQ(write(fd, text.data(), text.size()), 40000);
  close(fd);
  stream_.shut(); // as for a file that is no longer read for us
  OpenedFile closed = describe(*handle_, handle_->generation);
  closed.path = path.c_str();
  PrefetchCall call(closed, pointer(), stream_, kSite, true);
  std::vector<char> bytes(50000);
  const Brought brought = call.bringAt(0, bytes.data(), 50000, MPI_BYTE);
  EXPECT_FALSE(brought.failed);
  EXPECT_EQ(std::string(bytes.data(), brought.bytes), text);
  unlink(path.c_str());
  EXPECT_TRUE(call.bringAt(0, bytes.data(), 1, MPI_BYTE).failed);
}

TEST_F(PrefetchCallTest, OfAnotherFileThatHasTheNameNowNothingIsTaken) {
  std::string path = testing::TempDir() + "forerun-renamed-XXXXXX";
  const int fd = mkstemp(path.data());
  EXPECT_EQ(write(fd, "forerun", 7), 7);
  const WhichFile which = whichFile(fd);
  close(fd);
  stream_.shut();
  OpenedFile closed = describe(*handle_, handle_->generation);
  closed.path = path.c_str();
  closed.readOnly = true;
  closed.which = which;
  PrefetchCall same(closed, pointer(), stream_, kSite, true);
  std::array<char, 7> bytes{};
  EXPECT_EQ(same.bringAt(0, bytes.data(), 7, MPI_BYTE).bytes, 7U);
  EXPECT_FALSE(same.countAt(0, 7).failed);
  closed.which.birthSeconds += 1; // deleted, and another one with its number written
  PrefetchCall another(closed, pointer(), stream_, kSite, true);
  EXPECT_TRUE(another.bringAt(0, bytes.data(), 7, MPI_BYTE).failed);
  EXPECT_TRUE(another.countAt(0, 7).failed);
  unlink(path.c_str());
}

TEST_F(PrefetchCallTest, WithTheStreamShutNothingIsBroughtAndNothingWaits) {
  stream_.shut();
  std::array<char, 2> buffer{'x', 'x'};
  const Brought brought = ahead().bring(buffer.data(), 2, MPI_BYTE);
  EXPECT_EQ(brought.bytes, 0U);
  EXPECT_TRUE(brought.failed);
  EXPECT_THAT(buffer, ElementsAre('x', 'x'));
  ahead().read(10);
  EXPECT_THAT(records(), IsEmpty());
}

} // namespace
} // namespace forerun

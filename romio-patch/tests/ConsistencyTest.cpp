// SPDX-License-Identifier: Apache-2.0
// MPI-IO's consistency rules through the whole of Forerun: several handles of one file, of one
// process and of two. The second rank changes files; what the first one has read or announced
// before is still in its cache.
#include "MpiTest.h"

#include <dlfcn.h>
#include <forerun/prefetch.h>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>

namespace {

/// If set, all regular files have the same number, as on file systems without numbers of their own.
bool filesHaveOneNumber = false;

} // namespace

extern "C" int fstat(int fd, struct stat *status) noexcept {
  using Function = int(int, struct stat *);
  static auto *real = reinterpret_cast<Function *>(dlsym(RTLD_NEXT, "fstat"));
  const int result = real(fd, status);
  if (result == 0 && filesHaveOneNumber && S_ISREG(status->st_mode))
    status->st_ino = 42;
  return result;
}

namespace forerun::test {
namespace {

constexpr int kFileBytes = 300000;
/// The range that the tests read: a whole sector, and what follows.
constexpr int kAt = 8192, kLength = 10000;

MPI_File openSelf(const std::string &path, int amode,
                  std::initializer_list<std::pair<const char *, const char *>> hints = {
                      {"forerun_cache", "on"}}) {
  return openFile(path, amode, Hints(hints), MPI_COMM_SELF);
}

std::vector<char> readAt(MPI_File fh, MPI_Offset offset = kAt, int length = kLength) {
  std::vector<char> buffer(static_cast<std::size_t>(length), '#');
  MPI_Status status;
  EXPECT_EQ(MPI_SUCCESS, MPI_File_read_at(fh, offset, buffer.data(), length, MPI_BYTE, &status));
  int got = 0;
  MPI_Get_count(&status, MPI_BYTE, &got);
  buffer.resize(static_cast<std::size_t>(got));
  return buffer;
}

/// Brings the bytes into the cache of \p fh.
void announce(MPI_File fh) {
  std::vector<char> ahead(kLength);
  std::size_t got = 0;
  MPI_File_prefetch_read_at(fh, kAt, ahead.data(), kLength, MPI_BYTE, &got);
  EXPECT_EQ(static_cast<std::size_t>(kLength), got);
  EXPECT_EQ(bytesAt(kAt, kLength), ahead);
}

std::vector<char> newBytes() { return std::vector<char>(kLength, 'w'); }

int writeAt(MPI_File fh) {
  return MPI_File_write_at(fh, kAt, newBytes().data(), kLength, MPI_BYTE, MPI_STATUS_IGNORE);
}

class Consistency : public testing::Test {
protected:
  const TestFile file_{kFileBytes};
};

TEST_F(Consistency, ASyncOfAHandleThatWasOpenedReadOnlyShowsWhatOthersHaveSynced) {
  const bool reads = rank() == 0;
  for (const char *prefix : {"", "nfs:"}) {
    const TestFile file(kFileBytes);
    MPI_File fh = openSelf(prefix + file.path(), reads ? MPI_MODE_RDONLY : MPI_MODE_RDWR);
    if (reads)
      announce(fh);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!reads) {
      EXPECT_EQ(MPI_SUCCESS, writeAt(fh));
      EXPECT_EQ(MPI_SUCCESS, MPI_File_sync(fh));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (reads) {
      EXPECT_EQ(MPI_ERR_READ_ONLY, errorClass(MPI_File_sync(fh))) << "as stock ROMIO answers";
      EXPECT_EQ(newBytes(), readAt(fh)) << prefix;
    }
    MPI_File_close(&fh);
  }
}

/// Ways to write newBytes() at kAt.
const std::vector<std::pair<const char *, std::function<void(MPI_File)>>> kWrites = {
    {"write_at", [](MPI_File fh) { writeAt(fh); }},
    {"strided write",
     [](MPI_File fh) {
       const Type halves(2, kLength / 2, kLength); // the second half is written afterwards
       const std::vector<char> bytes = newBytes();
       for (int from : {0, kLength / 2}) {
         MPI_File_set_view(fh, kAt + from, MPI_BYTE, halves, "native", MPI_INFO_NULL);
         MPI_File_write_at(fh, 0, bytes.data(), kLength / 2, MPI_BYTE, MPI_STATUS_IGNORE);
       }
       MPI_File_set_view(fh, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
     }},
    {"iwrite_at",
     [](MPI_File fh) {
       const std::vector<char> bytes = newBytes();
       MPI_Request request;
       MPI_File_iwrite_at(fh, kAt, bytes.data(), kLength, MPI_BYTE, &request);
       MPI_Wait(&request, MPI_STATUS_IGNORE);
     }},
    {"write_at_all",
     [](MPI_File fh) {
       MPI_File_write_at_all(fh, kAt, newBytes().data(), kLength, MPI_BYTE, MPI_STATUS_IGNORE);
     }},
    {"iwrite_at_all",
     [](MPI_File fh) {
       const std::vector<char> bytes = newBytes();
       MPI_Request request;
       MPI_File_iwrite_at_all(fh, kAt, bytes.data(), kLength, MPI_BYTE, &request);
       MPI_Wait(&request, MPI_STATUS_IGNORE);
     }},
};

TEST_F(Consistency, WhatAProcessWritesThroughAHandleWithoutACacheItReads) {
  struct Writer {
    int amode;
    std::pair<const char *, const char *> hint;
  };
  const Writer writers[] = {{MPI_MODE_WRONLY, {"forerun_cache", "on"}},
                            {MPI_MODE_RDWR, {"forerun", "0"}},
                            {MPI_MODE_RDWR, {"forerun_cache", "off"}}};
  for (const Writer &how : writers)
    for (const auto &[name, write] : kWrites)
      for (bool writerFirst : {false, true}) {
        const TestFile file(kFileBytes); // each rank has handles of its own: both write the same
        MPI_File reader = MPI_FILE_NULL;
        if (!writerFirst)
          reader = openSelf(file.path(), MPI_MODE_RDONLY);
        MPI_File writer = openSelf(file.path(), how.amode, {how.hint});
        if (writerFirst)
          reader = openSelf(file.path(), MPI_MODE_RDONLY);
        announce(reader);
        MPI_Barrier(MPI_COMM_WORLD);
        write(writer);
        EXPECT_EQ(newBytes(), readAt(reader)) << name << ", " << how.hint.first << ", " << how.amode
                                              << (writerFirst ? ", first" : "");
        MPI_File_close(&writer);
        EXPECT_EQ(newBytes(), readAt(reader));
        MPI_File_close(&reader);
      }
}

TEST_F(Consistency, AFileThatIsCutThroughAHandleWithoutACacheIsShort) {
  MPI_File reader = openSelf(file_.path(), MPI_MODE_RDONLY);
  MPI_File writer = openSelf(file_.path(), MPI_MODE_WRONLY);
  announce(reader);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_set_size(writer, kAt + 10);
  EXPECT_EQ(10U, readAt(reader).size());
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_preallocate(writer, kFileBytes);
  EXPECT_EQ(std::size_t{kLength}, readAt(reader).size());
  MPI_File_close(&writer);
  MPI_File_close(&reader);
}

TEST_F(Consistency, FilesThatHaveOneNumberKeepTheirBytesApart) {
  const TestFile other(kFileBytes);
  const std::vector<char> marks(kLength, static_cast<char>('X'));
  if (rank() == 0)
    other.poke(kAt, marks);
  MPI_Barrier(MPI_COMM_WORLD);
  filesHaveOneNumber = true;
  MPI_File one = openSelf(file_.path(), MPI_MODE_RDONLY);
  MPI_File two = openSelf(other.path(), MPI_MODE_RDONLY);
  announce(one);
  std::vector<char> ahead(kLength);
  MPI_File_prefetch_read_at(two, kAt, ahead.data(), kLength, MPI_BYTE, nullptr);
  EXPECT_EQ(marks, readAt(two));
  EXPECT_EQ(bytesAt(kAt, kLength), readAt(one));
  EXPECT_EQ(marks, readAt(two));
  MPI_File_close(&two);
  MPI_File_close(&one);
  filesHaveOneNumber = false;
}

/// What is written under one name of a file is read under all its names.
TEST_F(Consistency, NamesOfOneFileAreNamesOfOneFile) {
  const std::string path = file_.path();
  const std::string symbolic = path + ".symbolic", hard = path + ".hard", moved = path + ".moved";
  if (rank() == 0) {
    EXPECT_EQ(0, symlink(path.c_str(), symbolic.c_str()));
    EXPECT_EQ(0, link(path.c_str(), hard.c_str()));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const std::string spelt = path.substr(0, path.rfind('/')) + "/./" + path.substr(path.rfind('/'));
  const std::vector<std::string> names = {path, symbolic, hard, spelt, "ufs:" + path};
  for (const std::string &read : names)
    for (const std::string &written : names) {
      MPI_File reader = openSelf(read, MPI_MODE_RDONLY);
      MPI_File writer = openSelf(written, MPI_MODE_RDWR);
      const std::vector<char> before = readAt(reader);
      EXPECT_EQ(before, readAt(reader));
      MPI_Barrier(MPI_COMM_WORLD);
      std::vector<char> bytes(kLength, static_cast<char>(before[0] + 1));
      MPI_File_write_at(writer, kAt, bytes.data(), kLength, MPI_BYTE, MPI_STATUS_IGNORE);
      EXPECT_EQ(bytes, readAt(reader)) << read << " and " << written;
      EXPECT_EQ(bytes, readAt(writer)) << read << " and " << written;
      MPI_File_close(&writer);
      MPI_File_close(&reader);
      MPI_Barrier(MPI_COMM_WORLD);
    }
  MPI_File reader = openSelf(path, MPI_MODE_RDONLY);
  readAt(reader);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 0) {
    EXPECT_EQ(0, rename(path.c_str(), moved.c_str()));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File writer = openSelf(moved, MPI_MODE_RDWR);
  EXPECT_EQ(MPI_SUCCESS, writeAt(writer));
  EXPECT_EQ(newBytes(), readAt(reader)) << "after it was moved";
  MPI_File_close(&writer);
  MPI_File_close(&reader);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 0)
    for (const std::string &name : {symbolic, hard, moved})
      unlink(name.c_str());
}

} // namespace
} // namespace forerun::test

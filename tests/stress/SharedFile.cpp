// SPDX-License-Identifier: Apache-2.0
#include "SharedFile.h"
#include "../MpiCheck.h"
#include "Datatype.h"
#include "Random.h"

#include <array>
#include <cstdio>
#include <forerun/prefetch.h>
#include <utility>
#include <vector>

namespace stress {

void check(int rc, const char *what) { forerun::test::mustSucceed(rc, "stress", what); }

SharedFile::SharedFile(std::string path) : path_(std::move(path)) {}

void SharedFile::open() {
  MPI_File fh = MPI_FILE_NULL;
  check(MPI_File_open(MPI_COMM_WORLD, path_.c_str(), MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL,
                      &fh),
        "open");
  const std::scoped_lock lock(hand_);
  fh_ = fh;
}

void SharedFile::close() {
  const std::scoped_lock lock(hand_);
  check(MPI_File_close(&fh_), "close");
}

void SharedFile::setView(const ViewLayout &view) {
  const Datatype filetype(Datatype::filetype(view));
  const std::scoped_lock lock(hand_);
  etype_ = Datatype::etype(view);
  etypes_ = view.visibleBytes / view.etypeBytes;
  check(MPI_File_set_view(fh_, static_cast<MPI_Offset>(view.displacement), etype_, filetype,
                          "native", MPI_INFO_NULL),
        "set_view");
}

void SharedFile::sync() const {
  check(MPI_File_sync(fh_), "sync");
  MPI_Barrier(MPI_COMM_WORLD);
  check(MPI_File_sync(fh_), "sync");
}

void SharedFile::prefetch(const Operation &op) {
  const std::scoped_lock lock(hand_);
  const auto start = static_cast<MPI_Offset>(op.start);
  const int count = static_cast<int>(op.count);
  if (op.stamp % 2 == 0) {
    MPI_File_prefetch_at(fh_, start, count, etype_);
  } else {
    MPI_File_prefetch_seek(fh_, start, MPI_SEEK_SET);
    MPI_File_prefetch(fh_, count, etype_);
  }
}

std::size_t SharedFile::prefetchBytes(const Operation &op, void *buffer) {
  const std::scoped_lock lock(hand_);
  std::size_t got = 0;
  MPI_File_prefetch_read_at(fh_, static_cast<MPI_Offset>(op.start), buffer,
                            static_cast<int>(op.count), etype_, &got);
  return got;
}

void SharedFile::prefetchAtRandom(std::uint64_t draw) {
  Random random(draw, 0);
  const std::scoped_lock lock(hand_);
  if (fh_ == MPI_FILE_NULL)
    return;
  const auto start = static_cast<MPI_Offset>(random.below(etypes_ + 1000));
  const int count = static_cast<int>(random.below(random.oneIn(4) ? 40000 : 3000));
  std::vector<char> bytes;
  switch (random.below(10)) {
  case 0:
    MPI_File_prefetch_seek(fh_, start, MPI_SEEK_SET);
    MPI_File_prefetch_all(fh_, count, etype_);
    break;
  case 1:
    MPI_File_prefetch(fh_, count, etype_);
    break;
  case 2:
    MPI_File_prefetch_shared(fh_, count, etype_);
    break;
  case 3:
    MPI_File_prefetch_ordered(fh_, count, etype_);
    break;
  case 4:
    MPI_File_prefetch_at_all(fh_, start, count, etype_);
    break;
  case 5:
    MPI_File_prefetch_write_at(fh_, start, count, etype_);
    break;
  case 6:
    MPI_File_prefetch_sync(fh_);
    break;
  case 7:
    bytes.resize(8 * static_cast<std::size_t>(count) + 1);
    MPI_File_prefetch_read_at(fh_, start, bytes.data(), count, etype_, nullptr);
    break;
  default:
    MPI_File_prefetch_at(fh_, start, count, etype_);
    break;
  }
}

} // namespace stress

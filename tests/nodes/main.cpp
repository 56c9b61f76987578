// SPDX-License-Identifier: Apache-2.0
/// \file
/// nodes FILE SEED ROUNDS: in each round, one rank writes the file anew, and all open it together,
/// read-only or for writing, too. They announce and read records in orders of their own, in some
/// rounds write a few records meanwhile, through that handle or through others, and synchronise.
/// Each record must be of a version that MPI's rules allow at that point: what was written before
/// the common open is seen by all; what a rank has written since is seen by itself, and by all
/// after they have synchronised.

#include "../MpiCheck.h"
#include "forerun/prefetch.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr int kRecords = 120;
constexpr std::size_t kWords = 1500; ///< of a record: no multiple of a sector

using Word = std::uint32_t;
using Record = std::vector<Word>;

void check(int rc, const char *what) { forerun::test::mustSucceed(rc, "nodes", what); }

/// The words of a record identify the record and its version.
Record written(int record, Word version) {
  Record words(kWords);
  for (std::size_t i = 0; i < kWords; ++i)
    words[i] = version * 1000003 + static_cast<Word>(record) * 7919 + static_cast<Word>(i);
  return words;
}

MPI_Offset offsetOf(int record) {
  return static_cast<MPI_Offset>(record) * static_cast<MPI_Offset>(kWords * sizeof(Word));
}

class Rounds {
public:
  Rounds(std::string path, unsigned seed)
      : path_(std::move(path)), common_(seed), written_(kRecords) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    own_.seed(seed * 1000 + static_cast<unsigned>(rank_));
  }

  void round(Word number) {
    const Word version = 2 * number; // and one more for what is written during the round
    if (rank_ == static_cast<int>(common_() % static_cast<unsigned>(ranks_)))
      writeAll(version);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File file = MPI_FILE_NULL;
    const bool isWritable = common_() % 2 == 0;
    check(MPI_File_open(MPI_COMM_WORLD, path_.c_str(), isWritable ? MPI_MODE_RDWR : MPI_MODE_RDONLY,
                        MPI_INFO_NULL, &file),
          "open");
    drawWritten();
    const bool isSynchronised = isWritable && common_() % 2 == 0;
    std::vector<int> order(kRecords);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), own_);
    phase_ = Phase::Old;
    for (int i = 0; i < kRecords; ++i) {
      if (i % 16 == 0)
        announce(file, order, i);
      if (i == kRecords / 2)
        writeOwn(isWritable ? file : MPI_FILE_NULL, version + 1);
      if (i == 3 * kRecords / 4 && isSynchronised)
        synchronise(file);
      read(file, order[i], version);
    }
    check(MPI_File_close(&file), "close");
    MPI_Barrier(MPI_COMM_WORLD);
  }

  std::uint64_t wrong() const { return wrong_; }
  std::uint64_t read() const { return read_; }

private:
  void put(MPI_File file, int record, Word version) {
    const Record words = written(record, version);
    check(MPI_File_write_at(file, offsetOf(record), words.data(), static_cast<int>(kWords),
                            MPI_UINT32_T, MPI_STATUS_IGNORE),
          "write");
  }

  void writeAll(Word version) {
    MPI_File file = MPI_FILE_NULL;
    check(MPI_File_open(MPI_COMM_SELF, path_.c_str(), MPI_MODE_CREATE | MPI_MODE_WRONLY,
                        MPI_INFO_NULL, &file),
          "open to write");
    for (int record = 0; record < kRecords; ++record)
      put(file, record, version);
    check(MPI_File_close(&file), "close what was written");
  }

  /// Which records are written in the round: none in most rounds.
  void drawWritten() {
    const bool isAny = common_() % 3 != 0;
    for (std::size_t record = 0; record < kRecords; ++record)
      written_[record] = common_() % 4 == 0 && isAny;
  }

  bool isMine(int record) const { return record % ranks_ == rank_; }

  /// Records that no other rank writes. \p common: a handle through which they may be written, or
  /// null.
  void writeOwn(MPI_File common, Word version) {
    const bool isCommon = common != MPI_FILE_NULL && own_() % 2 == 0;
    MPI_File file = common;
    if (!isCommon)
      check(MPI_File_open(MPI_COMM_SELF, path_.c_str(),
                          own_() % 2 == 0 ? MPI_MODE_WRONLY : MPI_MODE_RDWR, MPI_INFO_NULL, &file),
            "open for some");
    for (int record = 0; record < kRecords; ++record)
      if (written_[static_cast<std::size_t>(record)] && isMine(record))
        put(file, record, version);
    if (!isCommon)
      check(MPI_File_close(&file), "close some");
    phase_ = Phase::Mixed;
  }

  void synchronise(MPI_File file) {
    check(MPI_File_sync(file), "sync");
    MPI_Barrier(MPI_COMM_WORLD);
    check(MPI_File_sync(file), "sync");
    phase_ = Phase::New;
  }

  static void announce(MPI_File file, const std::vector<int> &order, int first) {
    for (int i = first; i < std::min(first + 32, kRecords); ++i)
      check(MPI_File_prefetch_at(file, offsetOf(order[static_cast<std::size_t>(i)]),
                                 static_cast<int>(kWords), MPI_UINT32_T),
            "prefetch");
  }

  void read(MPI_File file, int record, Word version) {
    Record words(kWords);
    check(MPI_File_read_at(file, offsetOf(record), words.data(), static_cast<int>(kWords),
                           MPI_UINT32_T, MPI_STATUS_IGNORE),
          "read");
    ++read_;
    const Record old = written(record, version), newer = written(record, version + 1);
    const bool isWritten = written_[static_cast<std::size_t>(record)];
    const bool mayBeNewer = isWritten; // others may have written it already
    const bool mayBeOld =
        !isWritten || phase_ == Phase::Old || (phase_ == Phase::Mixed && !isMine(record));
    for (std::size_t i = 0; i < kWords; ++i)
      if (!(words[i] == old[i] && mayBeOld) && !(words[i] == newer[i] && mayBeNewer)) {
        if (wrong_++ < 5)
          std::fprintf(stderr, "nodes: rank %d: record %d, word %zu is %u, not %u%s\n", rank_,
                       record, i, words[i], mayBeOld ? old[i] : newer[i],
                       mayBeNewer && mayBeOld ? " or newer" : "");
        return;
      }
  }

  const std::string path_;
  std::minstd_rand common_, own_;
  enum class Phase {
    Old,
    Mixed, ///< this rank has written its records
    New,   ///< all have, and have synchronised
  };
  Phase phase_ = Phase::Old;
  std::vector<bool> written_; ///< by record
  int rank_ = 0, ranks_ = 1;
  std::uint64_t wrong_ = 0, read_ = 0;
};

} // namespace

int main(int argc, char **argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (argc != 4) {
    std::fprintf(stderr, "usage: nodes FILE SEED ROUNDS\n");
    return MPI_Abort(MPI_COMM_WORLD, 2);
  }
  Rounds rounds(argv[1], static_cast<unsigned>(std::atoi(argv[2])));
  for (int number = 1; number <= std::atoi(argv[3]); ++number)
    rounds.round(static_cast<Word>(number));
  std::uint64_t own[2] = {rounds.wrong(), rounds.read()}, all[2];
  MPI_Allreduce(own, all, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    std::printf("nodes: %llu records read, %llu wrong\n", static_cast<unsigned long long>(all[1]),
                static_cast<unsigned long long>(all[0]));
  MPI_Finalize();
  return all[0] == 0 ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
/// \file
/// opens DIRECTORY SEED STEPS: in each step the ranks form groups, each of which opens a file
/// together, read-only or for writing, too, with a cache or without, announces it and reads it.
/// Whichever processes have met before, and whichever already have a cache, none waits for ever,
/// and all read what is in the file.

#include "../MpiCheck.h"
#include "forerun/prefetch.h"

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr int kFiles = 2;
constexpr int kPieces = 6;
constexpr int kPiece = 20'000; ///< no multiple of a sector

void check(int rc, const char *what) { forerun::test::mustSucceed(rc, "opens", what); }

std::vector<char> contents(int file, int piece) {
  return std::vector<char>(kPiece, static_cast<char>('a' + 8 * file + piece));
}

std::string pathOf(const char *directory, int file) {
  return std::string(directory) + "/opens." + std::to_string(file);
}

void writeAll(const char *directory) {
  for (int number = 0; number < kFiles; ++number) {
    MPI_File file = MPI_FILE_NULL;
    check(MPI_File_open(MPI_COMM_SELF, pathOf(directory, number).c_str(),
                        MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file),
          "open to write");
    for (int piece = 0; piece < kPieces; ++piece)
      check(MPI_File_write_at(file, MPI_Offset{piece} * kPiece, contents(number, piece).data(),
                              kPiece, MPI_BYTE, MPI_STATUS_IGNORE),
            "write");
    check(MPI_File_close(&file), "close");
  }
}

void readAll(MPI_File file, int number) {
  for (int piece = 0; piece < kPieces; ++piece)
    check(MPI_File_prefetch_at(file, MPI_Offset{piece} * kPiece, kPiece, MPI_BYTE), "prefetch");
  std::vector<char> found(kPiece);
  for (int piece = 0; piece < kPieces; ++piece) {
    check(MPI_File_read_at(file, MPI_Offset{piece} * kPiece, found.data(), kPiece, MPI_BYTE,
                           MPI_STATUS_IGNORE),
          "read");
    if (found != contents(number, piece)) {
      std::fprintf(stderr, "opens: wrong bytes in piece %d of file %d\n", piece, number);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
}

/// All ranks draw the same numbers, including those for what the others do.
class Steps {
public:
  Steps(const char *directory, unsigned seed) : directory_(directory), random_(seed) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }

  void step() {
    int mine = 0;
    for (int rank = 0; rank < ranks_; ++rank) {
      const int group = draw(3);
      mine = rank == rank_ ? group : mine;
    }
    MPI_Comm group = MPI_COMM_NULL;
    check(MPI_Comm_split(MPI_COMM_WORLD, mine, 0, &group), "split");
    for (int each = 0; each < 3; ++each) {
      const int number = draw(kFiles);
      const int amode = draw(3) == 0 ? MPI_MODE_RDWR : MPI_MODE_RDONLY;
      const bool isCached = draw(4) != 0;
      if (each == mine)
        open(group, number, amode, isCached);
    }
    check(MPI_Comm_free(&group), "free");
  }

private:
  int draw(int values) { return static_cast<int>(random_() % static_cast<unsigned>(values)); }

  void open(MPI_Comm group, int number, int amode, bool isCached) const {
    MPI_Info info = MPI_INFO_NULL;
    check(MPI_Info_create(&info), "info");
    check(MPI_Info_set(info, "forerun_cache", isCached ? "auto" : "off"), "info");
    MPI_File file = MPI_FILE_NULL;
    check(MPI_File_open(group, pathOf(directory_, number).c_str(), amode, info, &file), "open");
    check(MPI_Info_free(&info), "info");
    readAll(file, number);
    check(MPI_File_close(&file), "close");
  }

  const char *const directory_;
  std::mt19937 random_;
  int rank_ = 0, ranks_ = 1;
};

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc != 4) {
    std::fprintf(stderr, "usage: opens DIRECTORY SEED STEPS\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  Steps steps(argv[1], static_cast<unsigned>(std::atoi(argv[2])));
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    writeAll(argv[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int step = std::atoi(argv[3]); step > 0; --step)
    steps.step();
  MPI_Finalize();
}

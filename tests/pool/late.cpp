// SPDX-License-Identifier: Apache-2.0
/// \file
/// late FILE: rank 0 reads the file's beginning alone, like programs that read a header first. Then
/// all open the file together, and read it one after the other.

#include "../MpiCheck.h"
#include "forerun/prefetch.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

constexpr std::size_t kBytes = 1 << 20;

void check(int rc, const char *what) { forerun::test::mustSucceed(rc, "late", what); }

std::vector<char> expected() {
  std::vector<char> bytes(kBytes);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>(i * 7919 >> 8);
  return bytes;
}

void write(const char *path) {
  MPI_File file = MPI_FILE_NULL;
  check(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file),
        "open to write");
  const std::vector<char> bytes = expected();
  check(MPI_File_write_at(file, 0, bytes.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE), "write");
  check(MPI_File_close(&file), "close");
}

/// In pieces, all of which are announced first.
void read(MPI_File file, std::size_t pieces) {
  constexpr std::size_t kPiece = 65536;
  for (std::size_t i = 0; i < pieces; ++i)
    check(MPI_File_prefetch_at(file, static_cast<MPI_Offset>(i * kPiece), kPiece, MPI_BYTE),
          "prefetch");
  const std::vector<char> right = expected();
  std::vector<char> found(kPiece);
  for (std::size_t i = 0; i < pieces; ++i) {
    check(MPI_File_read_at(file, static_cast<MPI_Offset>(i * kPiece), found.data(), kPiece,
                           MPI_BYTE, MPI_STATUS_IGNORE),
          "read");
    if (!std::equal(found.begin(), found.end(), right.data() + i * kPiece)) {
      std::fprintf(stderr, "late: wrong bytes\n");
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char *path = argv[1];
  MPI_File file = MPI_FILE_NULL;
  if (rank == 0) {
    write(path);
    check(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file), "open alone");
    read(file, 1);
    check(MPI_File_close(&file), "close");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  check(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file), "open");
  for (int reader = 0; reader < size; ++reader) {
    if (rank == reader)
      read(file, 16);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  check(MPI_File_close(&file), "close");
  MPI_Finalize();
}

/* SPDX-License-Identifier: Apache-2.0 */
/* together FILE: processes, some with Forerun and some without, open files together, write, and
 * read in all ways that need the others: each gets what it gets without Forerun. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { PIECE = 10000, ROUNDS = 8 };

static int rank, ranks;

static void check(int rc, const char *what) {
  if (rc != MPI_SUCCESS) {
    fprintf(stderr, "together: rank %d: %s failed\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static char byteOf(int round, int piece) { return (char)(7 * round + 31 * piece + 1); }

static void compare(const char *bytes, int round, int piece) {
  for (int at = 0; at < PIECE; ++at)
    if (bytes[at] != byteOf(round, piece)) {
      fprintf(stderr, "together: rank %d: round %d, piece %d is wrong\n", rank, round, piece);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void writeOwn(MPI_File file, int round) {
  static char bytes[PIECE];
  for (int at = 0; at < PIECE; ++at)
    bytes[at] = byteOf(round, rank);
  check(MPI_File_write_at_all(file, (MPI_Offset)rank * PIECE, bytes, PIECE, MPI_BYTE,
                              MPI_STATUS_IGNORE),
        "write");
}

static void readAll(MPI_File file, int round) {
  static char bytes[PIECE];
  for (int piece = 0; piece < ranks; ++piece) {
    check(MPI_File_read_at(file, (MPI_Offset)piece * PIECE, bytes, PIECE, MPI_BYTE,
                           MPI_STATUS_IGNORE),
          "read");
    compare(bytes, round, piece);
  }
  check(MPI_File_read_at_all(file, (MPI_Offset)((rank + 1) % ranks) * PIECE, bytes, PIECE, MPI_BYTE,
                             MPI_STATUS_IGNORE),
        "collective read");
  compare(bytes, round, (rank + 1) % ranks);
  check(MPI_File_seek_shared(file, 0, MPI_SEEK_SET), "seek");
  check(MPI_File_read_ordered(file, bytes, PIECE, MPI_BYTE, MPI_STATUS_IGNORE), "ordered read");
  compare(bytes, round, rank);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 2) {
    fprintf(stderr, "usage: together FILE\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  for (int round = 0; round < ROUNDS; ++round) {
    MPI_File file;
    check(MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                        &file),
          "open");
    writeOwn(file, round);
    check(MPI_File_sync(file), "sync");
    MPI_Barrier(MPI_COMM_WORLD);
    check(MPI_File_sync(file), "sync");
    readAll(file, round);
    check(MPI_File_close(&file), "close");
    MPI_Barrier(MPI_COMM_WORLD);
    check(MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDONLY, MPI_INFO_NULL, &file), "open");
    readAll(file, round);
    check(MPI_File_close(&file), "close");
    MPI_Barrier(MPI_COMM_WORLD);
    /* Some fail: all get the error. */
    const char *const name = rank == ranks - 1 ? "/no/such/file" : argv[1];
    if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS)
      check(MPI_ERR_OTHER, "to fail with a rank that cannot open the file");
  }
  MPI_Finalize();
  return 0;
}

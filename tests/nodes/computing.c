/* SPDX-License-Identifier: Apache-2.0 */
/* computing FILE: a rank that has read a file computes, without any MPI call, until the rank of
 * another node has read the same bytes. So a computing process is still asked, and answers. */

#include <forerun/prefetch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PIECE = 64 * 1024, PIECES = 64, kMaxSeconds = 120 };

static char expected[PIECE], found[PIECE];

static void fill(int piece) {
  for (int at = 0; at < PIECE; ++at)
    expected[at] = (char)(at / 5 + 11 * piece);
}

static void writeAll(const char *path) {
  MPI_File file;
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (int piece = 0; piece < PIECES; ++piece) {
    fill(piece);
    MPI_File_write_at(file, (MPI_Offset)piece * PIECE, expected, PIECE, MPI_BYTE,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

static void readAll(MPI_File file) {
  for (int piece = 0; piece < PIECES; ++piece)
    MPI_File_prefetch_at(file, (MPI_Offset)piece * PIECE, PIECE, MPI_BYTE);
  for (int piece = 0; piece < PIECES; ++piece) {
    MPI_File_read_at(file, (MPI_Offset)piece * PIECE, found, PIECE, MPI_BYTE, MPI_STATUS_IGNORE);
    fill(piece);
    if (memcmp(expected, found, PIECE) != 0) {
      fprintf(stderr, "computing: piece %d is wrong\n", piece);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
}

/* Waits until the file \p sign exists. */
static void compute(const char *sign) {
  const time_t end = time(NULL) + kMaxSeconds;
  volatile double value = 1;
  while (access(sign, F_OK) != 0) {
    for (int i = 0; i < 1000000; ++i)
      value = value * 1.0000001 + 1e-9;
    if (time(NULL) > end) {
      fprintf(stderr, "computing: the other rank has not read in %d s\n", kMaxSeconds);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
}

int main(int argc, char **argv) {
  char sign[4096];
  int rank;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc != 2) {
    fprintf(stderr, "usage: computing FILE\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  snprintf(sign, sizeof sign, "%s.read", argv[1]);
  if (rank == 0)
    writeAll(argv[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  if (rank == 0)
    readAll(file);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    compute(sign);
  } else {
    readAll(file);
    fclose(fopen(sign, "w"));
  }
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: functions of the program that have the names of a library's, one of which never returns.
 * The slicer must go by what the program says they do. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 16, kBlocks = 40 };

/* As the C library has one that ends the program. */
static void err(int code) {
  if (code != MPI_SUCCESS) {
    fprintf(stderr, "error %d\n", code);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static int readBlock(MPI_File file, unsigned block, int *values) {
  return MPI_File_read_at(file, (MPI_Offset)block * kLength * (MPI_Offset)sizeof *values, values,
                          kLength, MPI_INT, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  err(MPI_File_open(MPI_COMM_WORLD, "library-names.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                    MPI_INFO_NULL, &file));
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 3 + i;
    err(MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE));
  }
  err(MPI_File_close(&file));

  int rounds = 30;
  unsigned state = 1;
  long sum = 0, total = 0;
  err(MPI_File_open(MPI_COMM_WORLD, "library-names.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
  for (int round = 0; round < rounds; round++) {
    state = state * 1103515245U + 12345U;
    err(readBlock(file, (state >> 16) % kBlocks, values));
    for (int i = 0; i < kLength; i++)
      sum += values[i] * (i % 5);
  }
  err(MPI_File_close(&file));
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("library-names %ld\n", total);
  MPI_Finalize();
  return 0;
}

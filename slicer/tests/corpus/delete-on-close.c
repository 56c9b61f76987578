/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a scratch file that vanishes at its close, and one that is deleted by name.
 * The slicer must not delete anything itself, nor open a file that is not there yet. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 45, kBlocks = 12 };

static long useScratch(const char *path, int mode, int rank) {
  int values[kLength];
  MPI_File file;
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR | mode,
                MPI_INFO_NULL, &file);
  for (int b = 0; b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * rank + i;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  long sum = 0;
  for (int b = kBlocks - 1; b >= 0; b--) {
    MPI_File_read_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i] * (b + 1);
  }
  MPI_File_close(&file);
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  char path[64];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(path, sizeof path, "delete-on-close.%d", rank);
  long sum = 0, total = 0;
  for (int round = 0; round < 3; round++) {
    sum += useScratch(path, MPI_MODE_DELETE_ON_CLOSE, rank + round);
    sum -= useScratch(path, 0, round) / 2;
    MPI_File_delete(path, MPI_INFO_NULL);
  }
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("delete-on-close %ld\n", total);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: for (;;) with reads under conditions; the only way out is exit() in a function.
 * The slicer must keep the conditions: a loop without an exit has no post-dominator. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kLength = 30, kBlocks = 26 };

static void finish(int rank, long sum, MPI_File *file) {
  long total = 0;
  MPI_File_close(file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("loop-without-exit %ld\n", total);
  MPI_Finalize();
  exit(0);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "loop-without-exit.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b + i * 2;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "loop-without-exit.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0;
  int step = rank;
  while (1) {
    step++;
    if (step % 3 != 1) {
      MPI_File_read_at(file, step % kBlocks * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                       MPI_STATUS_IGNORE);
      for (int i = 0; i < kLength; i++)
        sum += values[i] * step;
    }
    if (step >= 60)
      finish(rank, sum, &file);
  }
}

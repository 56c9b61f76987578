/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: helpers give their results through pointers, several at a time, some of them NULL.
 * The slicer must keep a call for the one result that matters. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 36, kBlocks = 33 };

static int locate(int step, int rank, MPI_Offset *offset, int *count, double *weight) {
  int block = (step * 4 + rank) % kBlocks;
  if (offset)
    *offset = block * kLength * (MPI_Offset)sizeof(int);
  if (count)
    *count = kLength - step % 6;
  if (weight)
    *weight = 1.0 / (1 << (step % 4));
  return block % 7 != 3;
}

static void whoAmI(int *rank, int *ranks) {
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  if (ranks)
    MPI_Comm_size(MPI_COMM_WORLD, ranks);
}

static void openInput(const char *path, int mode, MPI_File *file) {
  MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  whoAmI(&rank, NULL);
  MPI_File file;
  openInput("out-parameter-helper.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * i % 23;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  openInput("out-parameter-helper.dat", MPI_MODE_RDONLY, &file);
  double sum = 0, total = 0;
  for (int step = 0; step < 25; step++) {
    MPI_Offset offset;
    int count;
    double weight;
    locate(step, rank, NULL, NULL, &weight);
    if (!locate(step, rank, &offset, &count, NULL))
      continue;
    MPI_File_read_at(file, offset, values, count, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++)
      sum += values[i] * weight;
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("out-parameter-helper %.3f\n", total);
  MPI_Finalize();
  return 0;
}

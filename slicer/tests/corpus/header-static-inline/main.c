/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: static inline functions of a header, with static state, used by two units.
 * The slicer must clone them for each unit without touching the header. */
#include <mpi.h>
#include <stdio.h>

#include "blocks.h"

long secondHalf(MPI_File file, int start);

static void makeInput(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "header-static-inline.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    int values[kBlock];
    for (int i = 0; i < kBlock; i++)
      values[i] = b * 7 % 31 - i;
    MPI_File_write_at(file, blockOffset(b), values, kBlock, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kBlock];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  makeInput();

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "header-static-inline.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  int block = rank;
  for (int i = 0; i < 20; i++) {
    readBlock(file, block, values);
    for (int k = 0; k < kBlock; k++)
      sum += values[k] * (k % 3);
    block = nextBlock(block);
  }
  sum += secondHalf(file, block);
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("header-static-inline %ld\n", total);
  MPI_Finalize();
  return 0;
}

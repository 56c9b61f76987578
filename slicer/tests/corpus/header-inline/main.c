/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: inline functions of a header, which are not static, used by two units, one of which has the
 * definitions that others link to. */
#include <mpi.h>
#include <stdio.h>

#include "blocks.h"

static void makeInput(int rank) {
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "header-inline.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
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
  makeInput(rank);

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "header-inline.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int i = 0; i < kBlocks / 2; i++) {
    readBlock(file, i, values);
    for (int k = 0; k < kBlock; k++)
      sum += values[k] * (k % 3);
  }
  sum += secondHalf(file, kBlocks / 2);
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("header-inline %ld\n", total);
  MPI_Finalize();
  return 0;
}

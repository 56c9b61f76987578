/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the name of a function decides where it reads, as __func__.
 * What the slicer makes of the function has another name, and must take the original's. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { kBlock = 16, kBlocks = 24 };

static long placeOf(const char *name, int step) {
  return ((long)strlen(name) + step) % kBlocks * kBlock * (long)sizeof(int);
}

static long readHere(MPI_File file, int step) {
  int block[kBlock];
  long sum = 0;
  MPI_File_read_at(file, placeOf(__func__, step) + (long)sizeof __FUNCTION__, block, kBlock - 8,
                   MPI_INT, MPI_STATUS_IGNORE);
  for (int i = 0; i < kBlock - 8; i++)
    sum += block[i] % 1009;
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const char *name = __func__;
  int rank, ranks, block[kBlock];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "function-name.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                &file);
  for (int b = rank; b < kBlocks; b += ranks) {
    for (int i = 0; i < kBlock; i++)
      block[i] = b * 31 + i;
    MPI_File_write_at(file, b * (long)sizeof block, block, kBlock, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);

  long sum = 0, total = 0;
  for (int step = 0; step < 10; step++) {
    MPI_File_read_at(file, placeOf(name, step + rank), block, kBlock, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < kBlock; i++)
      sum += block[i] * (step + 1);
    sum += readHere(file, step);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("function-name %ld\n", total);
  MPI_Finalize();
  return 0;
}

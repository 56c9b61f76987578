/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: static functions and variables of one name in two units.
 * The slicer must keep the units apart: each unit's stride and state are its own. */
#include <mpi.h>
#include <stdio.h>

#include "clash.h"

static int stride = 3;
static long seen;

static int position(int step) {
  stride += step % 2;
  return step * stride;
}

static long readHere(MPI_File file, int step) {
  int values[kBlock];
  MPI_File_read_at(file, position(step) % kBlocks * (MPI_Offset)sizeof values, values, kBlock,
                   MPI_INT, MPI_STATUS_IGNORE);
  for (int i = 0; i < kBlock; i++)
    seen += values[i] & 7;
  return seen;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kBlock];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "static-name-clash.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kBlock; i++)
      values[i] = b * 3 + i * 5;
    MPI_File_write(file, values, kBlock, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "static-name-clash.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int i = rank; i < 20; i++)
    sum += readHere(file, i) + readThere(file, i);
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("static-name-clash %ld\n", total);
  MPI_Finalize();
  return 0;
}

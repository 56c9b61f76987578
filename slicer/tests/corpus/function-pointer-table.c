/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a table of functions, one of which is called by a computed index.
 * The slicer must call clones through a table of clones, and leave out functions of the other. */
#include <mpi.h>
#include <stdio.h>

enum { kBlock = 30, kBlocks = 36 };

typedef int (*Order)(int step);
typedef long (*Measure)(const int *values, int n);

static int forward(int step) { return step % kBlocks; }
static int backward(int step) { return kBlocks - 1 - step % kBlocks; }
static int scattered(int step) { return step * 5 % kBlocks; }

static long sum(const int *values, int n) {
  long s = 0;
  for (int i = 0; i < n; i++)
    s += values[i];
  return s;
}
static long largest(const int *values, int n) {
  long most = values[0];
  for (int i = 1; i < n; i++)
    most = values[i] > most ? values[i] : most;
  return most;
}

static const Order orders[] = {forward, backward, scattered};
static const Measure measures[] = {sum, largest};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, block[kBlock];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "function-pointer-table.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kBlock; i++)
      block[i] = (b * 31 + i * 17) % 1000;
    MPI_File_write(file, block, kBlock, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "function-pointer-table.dat", MPI_MODE_RDONLY, MPI_INFO_NULL,
                &file);
  long mine = 0, total = 0;
  for (int step = 0; step < 45; step++) {
    Order order = orders[(step / 4 + rank) % 3];
    MPI_File_read_at(file, order(step) * (MPI_Offset)sizeof block, block, kBlock, MPI_INT,
                     MPI_STATUS_IGNORE);
    mine += measures[step % 2](block, kBlock);
  }
  MPI_File_close(&file);
  MPI_Reduce(&mine, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("function-pointer-table %ld\n", total);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: drand48 and lrand48 share one state; erand48 and rand_r keep theirs in the program.
 * The slicer must keep every draw from a stream that any offset is drawn from. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kLength = 20, kBlocks = 70 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  double values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "drand48-offsets.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b % 7 * i;
    MPI_File_write(file, values, kLength, MPI_DOUBLE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "drand48-offsets.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  unsigned short state[3] = {1, 2, (unsigned short)rank};
  unsigned seed = 9;
  double sum = 0, total = 0;
  srand48(100 + rank);
  for (int i = 0; i < 24; i++) {
    int block = i % 4 == 0   ? (int)(drand48() * kBlocks)
                : i % 4 == 1 ? (int)(lrand48() % kBlocks)
                : i % 4 == 2 ? (int)(erand48(state) * kBlocks)
                             : rand_r(&seed) % kBlocks;
    MPI_File_read_at(file, block * (MPI_Offset)sizeof values, values, kLength, MPI_DOUBLE,
                     MPI_STATUS_IGNORE);
    for (int k = 0; k < kLength; k++)
      sum += values[k] + (double)(mrand48() & 1);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("drand48-offsets %.0f\n", total);
  MPI_Finalize();
  return 0;
}

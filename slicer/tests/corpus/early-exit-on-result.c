/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the loop ends when the result is good enough, which only the computation knows.
 * The slicer must not take the computation in: it goes on without the break, and what is fetched
 * too much costs accuracy. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

enum { kLength = 64, kBlocks = 40 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  double values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "early-exit-on-result.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = 1.0 / (1 + b * b) + i % 2;
    MPI_File_write(file, values, kLength, MPI_DOUBLE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "early-exit-on-result.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  double energy = 1, before = 0;
  int steps = 0;
  for (int b = 0; b < kBlocks; b++) {
    MPI_File_read_at(file, (b + rank) % kBlocks * (MPI_Offset)sizeof values, values, kLength,
                     MPI_DOUBLE, MPI_STATUS_IGNORE);
    before = energy;
    for (int i = 0; i < kLength; i++)
      energy += (values[i] - energy) / (i + 2);
    steps++;
    if (fabs(energy - before) < 2e-4)
      break;
  }
  MPI_File_close(&file);
  int total = 0;
  MPI_Reduce(&steps, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("early-exit-on-result %d %.6f\n", total, energy);
  MPI_Finalize();
  return 0;
}

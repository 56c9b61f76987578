/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: offsets from rand() and random(), also drawn for the computation in between.
 * The slicer must draw the same numbers without moving the main thread's generators. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kLength = 28, kBlocks = 90 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "rand-offsets.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 5 + i;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "rand-offsets.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  srand(17u + (unsigned)rank);
  long sum = 0, total = 0;
  for (int i = 0; i < 30; i++) {
    int block = rand() % kBlocks;
    double noise = rand() / (RAND_MAX + 1.0); /* moves the generator; only the sum needs it */
    MPI_File_read_at(file, block * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int k = 0; k < kLength; k++)
      sum += values[k] * (long)(noise * 4);
  }
  srandom(5);
  for (int i = 0; i < 20; i++) {
    MPI_File_read_at(file, random() % kBlocks * (MPI_Offset)sizeof values, values, 4, MPI_INT,
                     MPI_STATUS_IGNORE);
    sum += values[random() % 4];
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("rand-offsets %ld\n", total);
  MPI_Finalize();
  return 0;
}

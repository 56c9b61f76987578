/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: offsets computed in floating point, with functions of libm.
 * The slicer must call the same functions: the same rounding gives the same offsets. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

enum { kLength = 23, kBlocks = 100 };

static int blockOf(double t, int rank) {
  double x = 0.5 + 0.49 * sin(t * M_PI + rank) * exp(-t / 50);
  float y = (float)x;
  return (int)floor(kBlocks * fmod(y + 0.01 * pow(1.1, t), 1.0));
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  float values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "float-offset.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = (float)(b % 8 + i);
    MPI_File_write(file, values, kLength, MPI_FLOAT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "float-offset.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  double sum = 0, total = 0;
  for (double t = 0; t < 8; t += 0.21) {
    MPI_File_read_at(file, blockOf(t, rank) * (MPI_Offset)sizeof values, values, kLength, MPI_FLOAT,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i];
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("float-offset %.0f\n", total);
  MPI_Finalize();
  return 0;
}

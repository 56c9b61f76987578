/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: what a rank computes with its data decides how far it goes on, mostly by one block. The
 * slicer must not take the computation in, but have the main thread hand over what comes of it.
 * Where the prediction is wrong, what was announced is withdrawn, and the right announcement
 * follows.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kLength = 48, kBlocks = 360, kStepMs = 3 };

static double energyOf(const double *values) {
  double energy = 0;
  for (int pass = 0; pass < 4; pass++)
    for (int i = 0; i < kLength; i++)
      energy += values[i] * values[i] / (1 + pass);
  return energy;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  double values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "stride-computed.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = rank; b < kBlocks; b += ranks) {
    for (int i = 0; i < kLength; i++)
      values[i] = (b % 150 == 149 ? 5.0 : 1.0) + i * 1e-3;
    MPI_File_write_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_DOUBLE,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "stride-computed.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  double sum = 0;
  for (int block = rank % 4; block < kBlocks;) {
    MPI_File_read_at(file, block * (MPI_Offset)sizeof values, values, kLength, MPI_DOUBLE,
                     MPI_STATUS_IGNORE);
    double energy = energyOf(values);
    int stride = 1 + (int)(energy / 500);
    sum += energy;
    usleep(kStepMs * 1000);
    block += stride;
  }
  MPI_File_close(&file);
  double total = 0;
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("stride-computed %.4f\n", total);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: by how much all ranks go on is the greatest of what they have computed, and is always the
 * same. The main thread must hand it over, and the runtime predict it.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kLength = 32, kBlocks = 160, kSteps = 90, kStepMs = 5 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  double values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "stride-of-all.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = rank; b < kBlocks; b += ranks) {
    for (int i = 0; i < kLength; i++)
      values[i] = 1 + b % 5 * 0.1 + i % 2 * 0.25;
    MPI_File_write_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_DOUBLE,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "stride-of-all.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  double sum = 0;
  long block = 0;
  for (int step = 0; step < kSteps; step++) {
    MPI_File_read_at(file, block % kBlocks * (MPI_Offset)sizeof values, values, kLength, MPI_DOUBLE,
                     MPI_STATUS_IGNORE);
    double mine = 0;
    for (int i = 0; i < kLength; i++)
      mine += values[i];
    sum += mine * (step + 1);
    usleep(kStepMs * 1000);
    long stride = (long)(mine / kLength) + (rank > 0), greatest;
    MPI_Allreduce(&stride, &greatest, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    block += greatest;
  }
  MPI_File_close(&file);
  if (rank == 0)
    printf("stride-of-all %ld %.3f\n", block, sum);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a loop goes on until what all ranks have computed is small enough. The condition is
 * evaluated by the main thread and mostly comes out as the last time: the slicer must hand over how
 * it does, and not the residual, which is another one each time. What is announced past the end is
 * withdrawn.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kLength = 32, kBlocks = 100, kStepMs = 5 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  double values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "residual-decides.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = rank; b < kBlocks; b += ranks) {
    for (int i = 0; i < kLength; i++)
      values[i] = 1.0 / (1 + b) + i % 3 * 1e-6;
    MPI_File_write_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_DOUBLE,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "residual-decides.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  double residual = 1, sum = 0;
  long step = rank % 3, steps = 0;
  while (residual > 0.0125) {
    MPI_File_read_at(file, step % kBlocks * (MPI_Offset)sizeof values, values, kLength, MPI_DOUBLE,
                     MPI_STATUS_IGNORE);
    double mine = 0;
    for (int i = 0; i < kLength; i++)
      mine += values[i] / kLength;
    sum += mine;
    usleep(kStepMs * 1000);
    MPI_Allreduce(&mine, &residual, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    step++;
    steps++;
  }
  MPI_File_close(&file);
  if (rank == 0)
    printf("residual-decides %ld %.9f\n", steps, sum);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: by how much all ranks go on is another number each time. It cannot be predicted: the
 * pre-execution thread must wait for it, and announce what is read all the same.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kLength = 32, kBlocks = 97, kSteps = 120, kStepMs = 2 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  double values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "stride-at-random.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = rank; b < kBlocks; b += ranks) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 37 % 101 + i * 0.5;
    MPI_File_write_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_DOUBLE,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "stride-at-random.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  double sum = 0;
  long block = rank;
  for (int step = 0; step < kSteps; step++) {
    MPI_File_read_at(file, block % kBlocks * (MPI_Offset)sizeof values, values, kLength, MPI_DOUBLE,
                     MPI_STATUS_IGNORE);
    double mine = 0;
    for (int i = 0; i < kLength; i++)
      mine += values[i];
    sum += mine;
    usleep(kStepMs * 1000);
    /* Now and then it is the same a few times, and then it is not. */
    long stride = step % 12 < 7 ? 2 : 1 + (long)mine % 5, all;
    MPI_Allreduce(&stride, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    block += all;
  }
  MPI_File_close(&file);
  if (rank == 0)
    printf("stride-at-random %ld %.3f\n", block, sum);
  MPI_Finalize();
  return 0;
}

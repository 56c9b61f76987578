/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the number of rounds is the largest of all ranks; a prefix sum gives the start.
 * The slicer must keep or forward the results of Allreduce and Exscan. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 25 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine = 4 + rank * rank % 5, rounds, start = 0;
  MPI_Exscan(&mine, &start, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    start = 0;
  MPI_Allreduce(&mine, &rounds, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "allreduce-count.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = start; b < start + mine; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 2 + i;
    MPI_File_write_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "allreduce-count.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int round = 0; round < rounds; round++) {
    int count = round < mine ? kLength : 0;
    MPI_File_read_at_all(file, (start + round) * (MPI_Offset)sizeof values, values, count, MPI_INT,
                         MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++)
      sum += values[i] * (round + 1);
    long everybody;
    MPI_Allreduce(&sum, &everybody, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    sum += everybody % 3;
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("allreduce-count %ld\n", total);
  MPI_Finalize();
  return 0;
}

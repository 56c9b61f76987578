/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: functions with several returns, out of loops and before the read.
 * The slicer must keep a return although its value does not matter: what follows depends on it. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 38, kBlocks = 28 };

static long scan(MPI_File file, int from, int budget) {
  long sum = 0;
  if (from >= kBlocks)
    return -1;
  for (int b = from;; b++) {
    int values[kLength];
    if (b == kBlocks)
      return sum;
    if (b % 9 == 8)
      continue;
    MPI_File_read_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i];
    if (--budget == 0)
      return sum * 2;
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "early-return.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * b - i;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "early-return.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int from = rank; from < 40; from += 6)
    sum += scan(file, from, 3 + from % 5);
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("early-return %ld\n", total);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the results of calls are arguments of calls, four deep, with reads within.
 * The slicer must keep each argument of a clone that matters and may give 0 for the others. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 19, kBlocks = 37 };

static MPI_File file;

static int wrapped(int block) { return (block % kBlocks + kBlocks) % kBlocks; }
static MPI_Offset place(int block, double unused) {
  (void)unused;
  return (MPI_Offset)block * kLength * (MPI_Offset)sizeof(int);
}
static long summed(const int *values, int n) {
  return n == 0 ? 0 : *values + summed(values + 1, n - 1);
}
static long load(MPI_Offset offset, int count, long carried) {
  int values[kLength];
  MPI_File_read_at(file, offset, values, count, MPI_INT, MPI_STATUS_IGNORE);
  return carried + summed(values, count);
}
static int clipped(int n, int most) { return n < most ? n : most; }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, "nested-calls.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b + 3 * i;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "nested-calls.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int i = -8; i < 20; i++)
    sum = load(place(wrapped(i * 3 - rank), (double)sum), clipped(kLength, 5 + wrapped(i)),
               load(place(wrapped(clipped(i, 4)), 0.5), 6, sum % 1000));
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("nested-calls %ld\n", total);
  MPI_Finalize();
  return 0;
}

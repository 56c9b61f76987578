/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: an open that fails, and another file that is read instead.
 * The slicer must give the pre-execution thread the main thread's own result of the open. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 37, kBlocks = 22 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "fallback-open.second", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 5 % 14 + i;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  const char *const names[] = {"fallback-open.first", "fallback-open.second"};
  int tried = 0, rc;
  do
    rc = MPI_File_open(MPI_COMM_WORLD, names[tried], MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  while (rc != MPI_SUCCESS && ++tried < 2);
  long sum = 0, total = 0;
  if (rc == MPI_SUCCESS) {
    for (int b = rank; b < kBlocks; b += 1 + tried) {
      MPI_File_read_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                       MPI_STATUS_IGNORE);
      for (int i = 0; i < kLength; i++)
        sum += values[i];
    }
    MPI_File_close(&file);
  }
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("fallback-open %d %ld\n", tried, total);
  MPI_Finalize();
  return 0;
}

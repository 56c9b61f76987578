/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: reads at the shared file pointer: who gets which bytes is decided by time.
 * The slicer must leave the program's behaviour alone; the sum over all ranks does not change. */
#include <mpi.h>
#include <stdio.h>

enum { kRecords = 24, kLength = 16 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, record[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "read-shared-pointer.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int r = 0; rank == 0 && r < kRecords; r++) {
    for (int i = 0; i < kLength; i++)
      record[i] = r * 10 + i;
    MPI_File_write(file, record, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "read-shared-pointer.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int r = rank; r < kRecords; r += ranks) {
    MPI_File_read_shared(file, record, kLength, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += record[i] * (i % 4);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("read-shared-pointer %ld\n", total);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: ordered reads at the shared file pointer, of a different length on each rank.
 * The slicer must leave the program's behaviour alone: the offset depends on the other ranks. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[64];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "read-ordered.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int i = 0; rank == 0 && i < 1000; i++) {
    int value = i * 3 % 71;
    MPI_File_write(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "read-ordered.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int round = 0; round < 8; round++) {
    int count = 5 + 3 * rank + round;
    MPI_File_read_ordered(file, values, count, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++)
      sum += values[i] * (rank + 1);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("read-ordered %ld\n", total);
  MPI_Finalize();
  return 0;
}

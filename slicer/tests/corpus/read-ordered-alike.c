/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: ordered reads of one length, in two places of the source, in a view.
 * The slicer must announce each rank's part: the others read as much. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 16, kRounds = 12 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "read-ordered-alike.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int i = 0; rank == 0 && i < 1200; i++) {
    int value = i * 5 % 83;
    MPI_File_write(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "read-ordered-alike.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_set_view(file, 64, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  long sum = 0, total = 0;
  for (int round = 0; round < kRounds; round++) {
    if (round % 3 == 0) {
      MPI_File_read_ordered_begin(file, values, kLength, MPI_INT);
      MPI_File_read_ordered_end(file, values, MPI_STATUS_IGNORE);
    } else {
      MPI_File_read_ordered(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < kLength; i++)
      sum += values[i] * (rank + 1);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("read-ordered-alike %ld\n", total);
  MPI_Finalize();
  return 0;
}

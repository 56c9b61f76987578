/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: atomic mode: what is written is visible at once to all.
 * The slicer must treat set_atomicity as a synchronisation point; the cache stays out of it. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 30 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "atomic-mode.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                &file);
  MPI_File_set_atomicity(file, 1);
  for (int i = 0; i < kLength; i++)
    values[i] = rank * 5 + i;
  MPI_File_write_at(file, rank * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                    MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  long sum = 0, total = 0;
  for (int r = 0; r < ranks; r++) {
    MPI_File_read_at(file, r * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i] * (i % 4 + r);
  }
  MPI_File_set_atomicity(file, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int r = 0; r < ranks; r++) {
    MPI_File_read_at(file, r * (MPI_Offset)sizeof values, values, kLength / 2, MPI_INT,
                     MPI_STATUS_IGNORE);
    sum -= values[r];
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("atomic-mode %ld\n", total);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: preallocated space is read before and after it was filled.
 * The slicer must treat preallocate as a synchronisation point. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 50, kBlocks = 16 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "preallocate.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                &file);
  MPI_File_preallocate(file, kBlocks * (MPI_Offset)sizeof values);
  long sum = 0, total = 0;
  for (int pass = 1; pass <= 2; pass++) {
    for (int b = rank; b < kBlocks; b += ranks) {
      MPI_Offset offset = b * (MPI_Offset)sizeof values;
      MPI_File_read_at(file, offset, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
      for (int i = 0; i < kLength; i++) {
        values[i] = pass == 1 ? b + i : values[i] * 2; /* what it holds at first is not defined */
        sum += values[i] * pass;
      }
      MPI_File_write_at(file, offset, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
    }
    MPI_File_sync(file);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("preallocate %ld\n", total);
  MPI_Finalize();
  return 0;
}

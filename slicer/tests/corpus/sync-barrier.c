/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: sync, barrier, sync: each rank reads in every round what its neighbour wrote.
 * The slicer must wait at the syncs, and must not take the barrier for its own. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 44, kRounds = 6 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, values[kLength] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "sync-barrier.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                &file);
  long sum = 0, total = 0;
  for (int round = 0; round < kRounds; round++) {
    for (int i = 0; i < kLength; i++)
      values[i] = (values[i] * 3 + rank + round) % 1009;
    MPI_File_write_at(file, rank * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                      MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    MPI_File_read_at(file, (rank + 1) % ranks * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i];
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sync-barrier %ld\n", total);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: in each step rank 0 reads from an index where the next block lies, and tells all others.
 * The slicer must have the pre-execution threads tell each other: what the main threads say comes
 * only when the block is about to be read.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kLength = 48, kBlocks = 30, kStepMs = 10 };

static const MPI_Offset kIndexAt = 0, kDataAt = kBlocks * (MPI_Offset)sizeof(long);

static void fill(int rank) {
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "bcast-of-index.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  int values[kLength];
  for (int b = 0; b < kBlocks && rank == 0; b++) {
    long place = (b * 7 + 3) % kBlocks;
    MPI_File_write_at(file, kIndexAt + b * (MPI_Offset)sizeof place, &place, 1, MPI_LONG,
                      MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      values[i] = b * 100 + i;
    MPI_File_write_at(file, kDataAt + b * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  fill(rank);

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "bcast-of-index.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int step = 0; step < kBlocks; step++) {
    long place;
    if (rank == 0)
      MPI_File_read_at(file, kIndexAt + step * (MPI_Offset)sizeof place, &place, 1, MPI_LONG,
                       MPI_STATUS_IGNORE);
    MPI_Bcast(&place, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    long mine = (place + rank) % kBlocks;
    MPI_File_read_at(file, kDataAt + mine * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += (long)values[i] * (step + 1);
    usleep(kStepMs * 1000);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("bcast-of-index %d ranks: %ld\n", ranks, total);
  MPI_Finalize();
  return 0;
}

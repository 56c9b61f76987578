/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a communicator split by parity; the rank within it decides about the file and offset.
 * The slicer must know the new communicator's rank and size, and split nothing a second time in
 * the main thread's context. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 35, kBlocks = 12 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int world, rank, ranks, values[kLength];
  MPI_Comm half;
  MPI_Comm_rank(MPI_COMM_WORLD, &world);
  MPI_Comm_split(MPI_COMM_WORLD, world % 2, -world, &half);
  MPI_Comm_rank(half, &rank);
  MPI_Comm_size(half, &ranks);

  const char *path = world % 2 ? "comm-split.odd" : "comm-split.even";
  MPI_File file;
  MPI_File_open(half, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (int b = rank; b < kBlocks; b += ranks) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * (world % 2 + 1) + i;
    MPI_File_write_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(half, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int b = 0; b < kBlocks; b++) {
    MPI_File_read_at_all(file, (b * ranks + rank) % kBlocks * (MPI_Offset)sizeof values, values,
                         kLength, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i] * (b + rank);
  }
  MPI_File_close(&file);
  MPI_Comm_free(&half);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (world == 0)
    printf("comm-split %ld\n", total);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: split collective reads: begin, compute on the last block, end.
 * The slicer must prefetch at the begin and leave out the end, and the double buffer. */
#include <mpi.h>
#include <stdio.h>

enum { kBlock = 56, kBlocks = 20 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, blocks[2][kBlock];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "split-collective.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = rank; b < kBlocks; b += ranks) {
    for (int i = 0; i < kBlock; i++)
      blocks[0][i] = b * 2 + i;
    MPI_File_write_at(file, b * (MPI_Offset)sizeof blocks[0], blocks[0], kBlock, MPI_INT,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "split-collective.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  int now = 0;
  MPI_Status status;
  for (int b = 0; b <= 10; b++) {
    int *target = blocks[now], *ready = blocks[1 - now];
    if (b < 10)
      MPI_File_read_at_all_begin(file, (b + rank) * (MPI_Offset)sizeof blocks[0], target, kBlock,
                                 MPI_INT);
    for (int i = 0; b > 0 && i < kBlock; i++)
      sum += ready[i] * b;
    if (b < 10)
      MPI_File_read_at_all_end(file, target, &status);
    now = 1 - now;
  }
  MPI_File_seek(file, rank * 8, MPI_SEEK_SET);
  MPI_File_read_all_begin(file, blocks[0], 20, MPI_INT);
  MPI_File_read_all_end(file, blocks[0], &status);
  sum += blocks[0][19];
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("split-collective %ld\n", total);
  MPI_Finalize();
  return 0;
}

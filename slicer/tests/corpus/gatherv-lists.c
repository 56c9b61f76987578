/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: lists of different lengths are gathered on all ranks, into memory whose size is known at
 * run time only. The slicer must have all parts of what is gathered handed over. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kLength = 20, kBlocks = 60 };

static void makeInput(void) {
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "gatherv-lists.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = (b * 13 + i) % 47;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  makeInput();

  int own = 4 + rank, total = 0;
  int counts[ranks], places[ranks], wanted[4 + ranks];
  for (int i = 0; i < own; i++)
    wanted[i] = (rank * 17 + i * 5) % kBlocks;
  MPI_Allgather(&own, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < ranks; r++) {
    places[r] = total;
    total += counts[r];
  }
  int *all = malloc(total * sizeof *all);
  MPI_Allgatherv(wanted, own, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "gatherv-lists.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, sums = 0;
  for (int i = 0; i < total; i++) {
    int values[kLength];
    MPI_File_read_at(file, (MPI_Offset)all[i] * kLength * 4, values, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int k = 0; k < kLength; k++)
      sum += values[k] * (i % 7 + rank);
  }
  MPI_File_close(&file);
  free(all);
  MPI_Reduce(&sum, &sums, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("gatherv-lists %ld\n", sums);
  MPI_Finalize();
  return 0;
}

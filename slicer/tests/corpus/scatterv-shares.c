/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: in each step the ranks name the blocks that come next, each as many as it likes; rank 0
 * exchanges some and deals them out again, in shares of different lengths.
 * The slicer must have the pre-execution threads gather and scatter among themselves.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kLength = 32, kBlocks = 90, kMost = 3, kSteps = 25, kStepMs = 10 };

static long readBlock(MPI_File file, int block) {
  int values[kLength];
  long sum = 0;
  MPI_File_read_at(file, block * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                   MPI_STATUS_IGNORE);
  for (int i = 0; i < kLength; i++)
    sum += values[i] * (i + 1);
  return sum;
}

static int countOf(int rank, int step) { return 1 + (rank + step) % kMost; }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "scatterv-shares.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = rank; b < kBlocks; b += ranks) {
    for (int i = 0; i < kLength; i++)
      values[i] = (b * 19 + i) % 53;
    MPI_File_write_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  int *counts = malloc((size_t)ranks * sizeof *counts),
      *places = malloc((size_t)ranks * sizeof *places);
  int *all = rank == 0 ? malloc((size_t)(ranks * kMost) * sizeof *all) : NULL;
  int wanted[kMost] = {rank, rank + 30, rank + 60}, share[kMost] = {0};
  MPI_File_open(MPI_COMM_WORLD, "scatterv-shares.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int step = 0; step < kSteps; step++) {
    int length = 0, mine = countOf(rank, step);
    for (int r = 0; r < ranks; r++) {
      counts[r] = countOf(r, step);
      places[r] = length;
      length += counts[r];
    }
    MPI_Gatherv(wanted, mine, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
      for (int r = 1; r < ranks; r++) { /* each one's first goes to the one before it */
        int first = all[places[r]];
        all[places[r]] = all[places[r - 1]];
        all[places[r - 1]] = first;
      }
    MPI_Scatterv(all, counts, places, MPI_INT, share, mine, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < mine; i++)
      sum += readBlock(file, share[i] % kBlocks) * (step + 1);
    wanted[0] = share[mine - 1] + 7;
    usleep(kStepMs * 1000);
  }
  MPI_File_close(&file);
  free(all);
  free(places);
  free(counts);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("scatterv-shares %d ranks: %ld\n", ranks, total);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: rank 0 gathers what each rank wants and scatters where each begins. The other ranks give
 * NULL for what only the root receives, the root MPI_IN_PLACE for its own part: nothing is there to
 * be handed over. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, values[16];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "gather-at-root.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int i = 0; rank == 0 && i < 200; i++) {
    for (int k = 0; k < 16; k++)
      values[k] = i * k % 61;
    MPI_File_write(file, values, 16, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  int wanted = 20 + rank, first = 0;
  int *all = rank == 0 ? malloc(ranks * sizeof *all) : NULL;
  MPI_Gather(&wanted, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    int next = 0;
    for (int i = 0; i < ranks; i++) {
      int share = all[i];
      all[i] = next;
      next += share;
    }
    first = all[0];
  }
  MPI_Scatter(all, 1, MPI_INT, rank == 0 ? MPI_IN_PLACE : &first, 1, MPI_INT, 0, MPI_COMM_WORLD);

  MPI_File_open(MPI_COMM_WORLD, "gather-at-root.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int i = 0; i < wanted; i++) {
    MPI_File_read_at(file, (first + i) * 64, values, 16, MPI_INT, MPI_STATUS_IGNORE);
    for (int k = 0; k < 16; k++)
      sum += values[k] * (k + rank + 1);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("gather-at-root %ld\n", total);
  free(all);
  MPI_Finalize();
  return 0;
}

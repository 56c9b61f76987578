/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: rank 0 makes a list of work and scatters it.
 * The slicer must see that MPI_Scatter defines the receive buffer, on rank 0 too. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kShare = 10, kLength = 18, kBlocks = 64 };

struct Work {
  int block, length;
};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  short values[kLength];
  struct Work mine[kShare], *all = NULL;
  if (rank == 0) {
    FILE *out = fopen("scatter-work.dat", "wb");
    for (int b = 0; b < kBlocks; b++) {
      for (int i = 0; i < kLength; i++)
        values[i] = (short)(b * 3 - i);
      fwrite(values, sizeof *values, kLength, out);
    }
    fclose(out);
    all = malloc((size_t)(kShare * ranks) * sizeof *all);
    for (int i = 0; i < kShare * ranks; i++) {
      all[i].block = i * 13 % kBlocks;
      all[i].length = kLength - i % 5;
    }
  }
  MPI_Scatter(all, 2 * kShare, MPI_INT, mine, 2 * kShare, MPI_INT, 0, MPI_COMM_WORLD);
  free(all);

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "scatter-work.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int i = 0; i < kShare; i++) {
    MPI_File_read_at(file, mine[i].block * (MPI_Offset)sizeof values, values, mine[i].length,
                     MPI_SHORT, MPI_STATUS_IGNORE);
    for (int k = 0; k < mine[i].length; k++)
      sum += values[k] * (k + 1);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("scatter-work %ld\n", total);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: declarations with several declarators of different types, only some of which matter.
 * The slicer must split `int *a, b` right: the name in the slice, its type, its initialiser. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static long hits, *tally = &hits, (*bins)[4], base = 32;

static int half(int x) { return x / 2; }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, *where = &rank, block[32], (*scale)(int) = half, unused[2] = {0, 0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  bins = calloc(2, sizeof *bins);

  MPI_File file, *handle = &file;
  MPI_File_open(MPI_COMM_WORLD, "several-declarators.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, handle);
  for (int i = *where, n = 40; i < n; i += ranks) {
    for (int k = 0, *end = block + 32, *p = block; p < end; p++, k++)
      *p = i + k;
    MPI_File_write_at(file, base + i * (MPI_Offset)sizeof block, block, 32, MPI_INT,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(handle);

  MPI_File_open(MPI_COMM_WORLD, "several-declarators.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, handle);
  for (int i = *where, n = 80, sum = 0; i < n; i += ranks, sum = 0) {
    MPI_Offset offset = base, step = (MPI_Offset)sizeof block, *at = &offset;
    *at += scale(i) * step;
    MPI_File_read_at(*handle, offset, block, 32, MPI_INT, MPI_STATUS_IGNORE);
    for (int k = 0; k < 32; k++)
      sum += block[k];
    *tally += sum + unused[i % 2];
    bins[i % 2][i % 4] += sum;
  }
  MPI_File_close(&file);

  long mine = hits + bins[1][3] * 2, total = 0;
  free(bins);
  MPI_Reduce(&mine, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("several-declarators %ld\n", total);
  MPI_Finalize();
  return 0;
}

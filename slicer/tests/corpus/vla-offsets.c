/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: variable length arrays, as a local variable and as a parameter.
 * The slicer must keep what gives an array its length, and stores to its elements. */
#include <mpi.h>
#include <stdio.h>

static void plan(int n, int m, MPI_Offset offsets[n][m], int start) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      offsets[i][k] = (start + i * 17 + k * 5) % 64 * (MPI_Offset)sizeof(double) * 8;
}

static double readAll(MPI_File file, int n, int m, MPI_Offset offsets[n][m]) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) {
      double values[8];
      MPI_File_read_at(file, offsets[i][k], values, 8, MPI_DOUBLE, MPI_STATUS_IGNORE);
      for (int j = 0; j < 8; j++)
        sum += values[j] * (i + 1);
    }
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "vla-offsets.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  int mine = 512 / ranks;
  int first = rank * mine, count = rank == ranks - 1 ? 512 - first : mine;
  double part[count];
  for (int i = 0; i < count; i++)
    part[i] = (first + i) % 31;
  MPI_File_write_at_all(file, first * (MPI_Offset)sizeof(double), part, count, MPI_DOUBLE,
                        MPI_STATUS_IGNORE);
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "vla-offsets.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  int n = 4 + rank, m = 9 - rank % 3;
  MPI_Offset offsets[n][m];
  plan(n, m, offsets, rank * 3);
  double sum = readAll(file, n, m, offsets), total = 0;
  MPI_File_close(&file);

  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("vla-offsets %.0f\n", total);
  MPI_Finalize();
  return 0;
}

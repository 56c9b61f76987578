/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: views that are tiles of a matrix, a new one for each tile, read with one call.
 * The slicer must keep sizes, starts and the views in their order. */
#include <mpi.h>
#include <stdio.h>

enum { kSide = 48, kTile = 12 };

static double matrix[kSide][kSide], tile[kTile][kTile];

static double traceOf(double values[kTile][kTile]) {
  double sum = 0;
  for (int i = 0; i < kTile; i++)
    sum += values[i][i] - values[i][kTile - 1 - i] / 2;
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < kSide; i++)
    for (int j = 0; j < kSide; j++)
      matrix[i][j] = i * 2 - j;
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "view-subarray.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  if (rank == 0)
    MPI_File_write(file, matrix, kSide * kSide, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "view-subarray.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  int sizes[2] = {kSide, kSide}, tiles[2] = {kTile, kTile};
  double sum = 0, total = 0;
  for (int t = 0; t < 16; t += ranks) {
    int mine = t + rank, starts[2] = {mine / 4 * kTile, mine % 4 * kTile};
    MPI_Datatype view;
    MPI_Type_create_subarray(2, sizes, tiles, starts, MPI_ORDER_C, MPI_DOUBLE, &view);
    MPI_Type_commit(&view);
    MPI_File_set_view(file, 0, MPI_DOUBLE, view, "native", MPI_INFO_NULL);
    MPI_File_read_all(file, tile, kTile * kTile, MPI_DOUBLE, MPI_STATUS_IGNORE);
    sum += traceOf(tile);
    MPI_Type_free(&view);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("view-subarray %.1f\n", total);
  MPI_Finalize();
  return 0;
}

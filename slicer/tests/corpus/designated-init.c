/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: designated initialisers of nested structures and of sparse arrays.
 * The slicer must keep an initialiser if any field of it decides about a read. */
#include <mpi.h>
#include <stdio.h>

struct Grid {
  struct {
    int rows, columns;
  } size;
  const char *title;
  MPI_Offset base;
  double weights[4];
};

static const int strides[8] = {[0] = 3, [2] = 5, [7] = 1};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct Grid grid = {.size = {.columns = 20, .rows = 30},
                      .base = 40,
                      .weights = {[1] = 2.0, [3] = 0.5},
                      .title = "designated-init"};

  if (rank == 0) {
    FILE *out = fopen("designated-init.dat", "wb");
    for (int i = 0; i < 40; i++)
      putc('#', out);
    for (int i = 0; i < grid.size.rows * grid.size.columns; i++) {
      double value = i % 13;
      fwrite(&value, sizeof value, 1, out);
    }
    fclose(out);
  }
  MPI_Barrier(MPI_COMM_WORLD);

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "designated-init.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  double sum = 0, total = 0;
  for (int row = rank; row < grid.size.rows; row += 1 + strides[row % 8]) {
    double values[20];
    MPI_File_read_at(file, grid.base + row * grid.size.columns * (MPI_Offset)sizeof(double), values,
                     grid.size.columns, MPI_DOUBLE, MPI_STATUS_IGNORE);
    for (int i = 0; i < grid.size.columns; i++)
      sum += values[i] * grid.weights[i % 4];
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s %.1f\n", grid.title, total);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: collective reads of a time series, in the order that an index variable gives; dimensions say how much. */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
enum { kSteps = 40, kRows = 24, kCols = 80 };

static void check(int rc) {
  if (rc == NC_NOERR)
    return;
  fprintf(stderr, "%s\n", ncmpi_strerror(rc));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void makeInput(void) {
  int f, dims[3], order, field, numbers[kSteps];
  static double plane[kRows * kCols];
  check(ncmpi_create(MPI_COMM_SELF, "pnetcdf-series.nc", NC_CLOBBER | NC_64BIT_OFFSET,
                     MPI_INFO_NULL, &f));
  check(ncmpi_def_dim(f, "time", kSteps, &dims[0]));
  check(ncmpi_def_dim(f, "row", kRows, &dims[1]));
  check(ncmpi_def_dim(f, "column", kCols, &dims[2]));
  check(ncmpi_def_var(f, "order", NC_INT, 1, dims, &order));
  check(ncmpi_def_var(f, "field", NC_DOUBLE, 3, dims, &field));
  check(ncmpi_enddef(f));
  for (int i = 0; i < kSteps; i++)
    numbers[i] = i * 7 % kSteps;
  check(ncmpi_put_var_int_all(f, order, numbers));
  for (int t = 0; t < kSteps; t++) {
    MPI_Offset start[3] = {t, 0, 0}, count[3] = {1, kRows, kCols};
    for (int i = 0; i < kRows * kCols; i++)
      plane[i] = (t * 31 + i * 5) % 977;
    check(ncmpi_put_vara_double_all(f, field, start, count, plane));
  }
  check(ncmpi_close(f));
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    makeInput();
  MPI_Barrier(MPI_COMM_WORLD);
  long sum = 0;
  int f, order, field, dims[3], numbers[kSteps];
  MPI_Offset steps, rows, columns;
  check(ncmpi_open(MPI_COMM_WORLD, "pnetcdf-series.nc", NC_NOWRITE, MPI_INFO_NULL, &f));
  check(ncmpi_inq_varid(f, "order", &order));
  check(ncmpi_inq_varid(f, "field", &field));
  check(ncmpi_inq_vardimid(f, field, dims));
  check(ncmpi_inq_dimlen(f, dims[0], &steps));
  check(ncmpi_inq_dimlen(f, dims[1], &rows));
  check(ncmpi_inq_dimlen(f, dims[2], &columns));
  check(ncmpi_get_var_int_all(f, order, numbers));
  double *part = malloc((size_t)(rows / size * columns) * sizeof *part);
  for (int i = 0; i < steps; i++) {
    MPI_Offset start[3] = {numbers[i], rank * (rows / size), 0};
    MPI_Offset count[3] = {1, rows / size, columns};
    check(ncmpi_get_vara_double_all(f, field, start, count, part));
    for (int k = 0; k < rows / size * columns; k++)
      sum += (long)part[k] * (i + 1);
  }
  free(part);
  check(ncmpi_close(f));
  long total = 0;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("series %ld\n", total);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: which record of a field is read next stands in a variable of the file; each rank reads its rows. */
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdio.h>
#include <stdlib.h>
enum { TIMES = 40, ROWS = 64, COLUMNS = 128 };
static void check(int status) {
  if (status != NC_NOERR) {
    fprintf(stderr, "%s\n", nc_strerror(status));
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}
static void create(const char *name) {
  int file, dims[3], order, field;
  float *values = malloc(ROWS * COLUMNS * sizeof *values);
  check(nc_create(name, NC_CLOBBER | NC_NETCDF4, &file));
  check(nc_def_dim(file, "time", TIMES, &dims[0]));
  check(nc_def_dim(file, "row", ROWS, &dims[1]));
  check(nc_def_dim(file, "column", COLUMNS, &dims[2]));
  check(nc_def_var(file, "order", NC_INT, 1, dims, &order));
  check(nc_def_var(file, "field", NC_FLOAT, 3, dims, &field));
  check(nc_put_att_text(file, field, "units", 1, "K"));
  check(nc_enddef(file));
  for (size_t t = 0; t < TIMES; t++) {
    const size_t start[3] = {t, 0, 0}, count[3] = {1, ROWS, COLUMNS};
    const int next = (int)((t * 17 + 5) % TIMES);
    for (int i = 0; i < ROWS * COLUMNS; i++)
      values[i] = (float)(t * 3 + i % 97);
    check(nc_put_vara_float(file, field, start, count, values));
    check(nc_put_var1_int(file, order, &t, &next));
  }
  check(nc_close(file));
  free(values);
}
int main(int argc, char **argv) {
  int rank, ranks, file, order, field, dims[3], next[TIMES];
  size_t times, rows, columns;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char *name = "netcdf-time-series.nc";
  if (rank == 0)
    create(name);
  MPI_Barrier(MPI_COMM_WORLD);
  check(nc_open_par(name, NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
  check(nc_inq_varid(file, "order", &order));
  check(nc_inq_varid(file, "field", &field));
  check(nc_inq_vardimid(file, field, dims));
  check(nc_inq_dimlen(file, dims[0], &times));
  check(nc_inq_dimlen(file, dims[1], &rows));
  check(nc_inq_dimlen(file, dims[2], &columns));
  check(nc_get_var_int(file, order, next));
  const size_t mine = rows / (size_t)ranks;
  double *values = malloc(mine * columns * sizeof *values), sum = 0;
  for (size_t k = 0; k < times; k++) {
    const size_t start[3] = {(size_t)next[k], (size_t)rank * mine, 0};
    const size_t count[3] = {1, mine, columns};
    check(nc_get_vara_double(file, field, start, count, values));
    for (size_t i = 0; i < mine * columns; i++)
      sum += values[i] * (double)(k + 1);
  }
  check(nc_close(file));
  free(values);
  double all = 0;
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.1f\n", all);
  MPI_Finalize();
}

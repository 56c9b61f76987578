/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: compressed variables that all ranks read together, each its rows; a compressed index says which record is next. */
#include "nc.h"

enum { TIMES = 30, ROWS = 128, COLUMNS = 128 };
static const char *const NAME = "netcdf-compressed-collective.nc";
static void create(void) {
  int file, dims[3], order, field;
  const size_t chunks[3] = {1, 32, 64};
  check(nc_create(NAME, NC_CLOBBER | NC_NETCDF4, &file));
  check(nc_def_dim(file, "time", TIMES, &dims[0]));
  check(nc_def_dim(file, "y", ROWS, &dims[1]));
  check(nc_def_dim(file, "x", COLUMNS, &dims[2]));
  check(nc_def_var(file, "order", NC_INT, 1, dims, &order));
  check(nc_def_var_deflate(file, order, 0, 1, 4));
  check(nc_def_var(file, "field", NC_FLOAT, 3, dims, &field));
  check(nc_def_var_chunking(file, field, NC_CHUNKED, chunks));
  check(nc_def_var_deflate(file, field, 1, 1, 2));
  int next[TIMES];
  static float values[ROWS * COLUMNS];
  for (int t = 0; t < TIMES; t++)
    next[t] = (t * 11 + 4) % TIMES;
  check(nc_put_var_int(file, order, next));
  for (size_t t = 0; t < TIMES; t++) {
    const size_t start[3] = {t, 0, 0}, count[3] = {1, ROWS, COLUMNS};
    for (int i = 0; i < ROWS * COLUMNS; i++)
      values[i] = (float)((i * 7919) % 5003) + (float)t;
    check(nc_put_vara_float(file, field, start, count, values));
  }
  check(nc_close(file));
}
int main(int argc, char **argv) {
  int rank, file;
  double sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    create();
  MPI_Barrier(MPI_COMM_WORLD);
  check(nc_open_par(NAME, NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
  int order, field, ranks, next[TIMES];
  static float values[ROWS * COLUMNS];
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  check(nc_inq_varid(file, "order", &order));
  check(nc_inq_varid(file, "field", &field));
  check(nc_var_par_access(file, field, NC_COLLECTIVE));
  check(nc_get_var_int(file, order, next));
  const size_t mine = ROWS / (size_t)ranks;
  for (int k = 0; k < TIMES; k++) {
    const size_t start[3] = {(size_t)next[k], (size_t)rank * mine, 0},
                 count[3] = {1, mine, COLUMNS};
    check(nc_get_vara_float(file, field, start, count, values));
    for (size_t i = 0; i < mine * COLUMNS; i++)
      sum += (double)values[i] * (k + 1);
  }
  check(nc_close(file));
  printSum(sum);
  MPI_Finalize();
}

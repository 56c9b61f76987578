/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a file is created and written in parallel, closed, opened again, and read in an order that its own index tells. */
#include "nc.h"

enum { STEPS = 24, N = 8192 };
static const char *const NAME = "netcdf-create-write-read.nc";
int main(int argc, char **argv) {
  int rank, ranks, file, dims[2], order, field;
  double sum = 0;
  static double values[N];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  check(nc_create_par(NAME, NC_CLOBBER | NC_NETCDF4, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
  check(nc_def_dim(file, "step", STEPS, &dims[0]));
  check(nc_def_dim(file, "n", N, &dims[1]));
  check(nc_def_var(file, "order", NC_INT, 1, dims, &order));
  check(nc_def_var(file, "field", NC_DOUBLE, 2, dims, &field));
  check(nc_enddef(file));
  for (size_t s = (size_t)rank; s < STEPS; s += (size_t)ranks) {
    const size_t start[2] = {s, 0}, count[2] = {1, N};
    const int next = (int)(s * 5 + 3) % STEPS;
    for (int i = 0; i < N; i++)
      values[i] = (double)s + i % 211;
    check(nc_put_vara_double(file, field, start, count, values));
    check(nc_put_var1_int(file, order, &s, &next));
  }
  check(nc_close(file));
  check(nc_open_par(NAME, NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
  check(nc_inq_varid(file, "order", &order));
  check(nc_inq_varid(file, "field", &field));
  size_t at = (size_t)rank;
  for (int k = 0; k < STEPS; k++) {
    const size_t start[2] = {at, 0}, count[2] = {1, N};
    int next;
    check(nc_get_vara_double(file, field, start, count, values));
    for (int i = 0; i < N; i++)
      sum += values[i] * (k + 1);
    check(nc_get_var1_int(file, order, &at, &next));
    at = (size_t)next;
  }
  check(nc_close(file));
  printSum(sum);
  MPI_Finalize();
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a variable, an attribute and a file that are not there: what is read instead is announced. */
#include "nc.h"

enum { STEPS = 24, N = 8192 };
static const char *const NAME = "netcdf-missing-variable.nc";
static void create(void) {
  int file, dims[2], field;
  static float values[STEPS * N];
  check(nc_create(NAME, NC_CLOBBER | NC_NETCDF4, &file));
  check(nc_def_dim(file, "step", STEPS, &dims[0]));
  check(nc_def_dim(file, "n", N, &dims[1]));
  check(nc_def_var(file, "temp", NC_FLOAT, 2, dims, &field));
  for (int i = 0; i < STEPS * N; i++)
    values[i] = (float)(i % 509);
  check(nc_put_var_float(file, field, values));
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
  int field, other, by = 5;
  const size_t first[2] = {0, 0};
  static float values[N];
  if (nc_open_par("netcdf-missing-variable-other.nc", NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL,
                  &other) == NC_NOERR)
    MPI_Abort(MPI_COMM_WORLD, 1);
  if (nc_get_vara_float(file, 77, first, first, values) != NC_ENOTVAR)
    MPI_Abort(MPI_COMM_WORLD, 1);
  int status = nc_inq_varid(file, "temperature", &field);
  if (status == NC_ENOTVAR)
    status = nc_inq_varid(file, "temp", &field);
  check(status);
  if (nc_get_att_int(file, field, "by", &by) == NC_ENOTATT)
    by = 11;
  for (size_t k = 0; k < STEPS; k++) {
    const size_t start[2] = {(k * (size_t)by + (size_t)rank) % STEPS, 0}, count[2] = {1, N};
    check(nc_get_vara_float(file, field, start, count, values));
    for (int i = 0; i < N; i++)
      sum += (double)values[i] * (double)(k + 1);
  }
  const size_t outside[2] = {STEPS, 0}, one[2] = {1, 1};
  if (nc_get_vara_float(file, field, outside, one, values) != NC_EINVALCOORDS)
    MPI_Abort(MPI_COMM_WORLD, 1);
  check(nc_close(file));
  printSum(sum);
  MPI_Finalize();
}

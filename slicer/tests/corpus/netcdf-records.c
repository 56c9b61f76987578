/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: an unlimited dimension: how many records there are is asked; one variable has fewer, the rest is fill values. */
#include "nc.h"

enum { N = 4096, RECORDS = 40 };
static const char *const NAME = "netcdf-records.nc";
static void create(void) {
  int file, dims[2], full, some;
  check(nc_create(NAME, NC_CLOBBER | NC_NETCDF4, &file));
  check(nc_def_dim(file, "record", NC_UNLIMITED, &dims[0]));
  check(nc_def_dim(file, "n", N, &dims[1]));
  check(nc_def_var(file, "full", NC_FLOAT, 2, dims, &full));
  check(nc_def_var(file, "some", NC_FLOAT, 2, dims, &some));
  const float fill = 7;
  check(nc_put_att_float(file, some, "_FillValue", NC_FLOAT, 1, &fill));
  static float values[N];
  for (size_t r = 0; r < RECORDS; r++) {
    const size_t start[2] = {r, 0}, count[2] = {1, N};
    for (int i = 0; i < N; i++)
      values[i] = (float)(r + (size_t)i % 31);
    check(nc_put_vara_float(file, full, start, count, values));
    if (r < RECORDS / 2)
      check(nc_put_vara_float(file, some, start, count, values));
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
  int dim, full, some;
  size_t records;
  static float values[2 * N];
  check(nc_inq_unlimdim(file, &dim));
  check(nc_inq_dimlen(file, dim, &records));
  check(nc_inq_varid(file, "full", &full));
  check(nc_inq_varid(file, "some", &some));
  for (size_t r = (size_t)rank; r + 1 < records; r += 2) {
    const size_t start[2] = {r, 0}, count[2] = {1, N}, two[2] = {2, N};
    check(nc_get_vara_float(file, full, start, two, values));
    for (int i = 0; i < 2 * N; i++)
      sum += (double)values[i] * (double)(r + 1);
    check(nc_get_vara_float(file, some, start, count, values));
    for (int i = 0; i < N; i++)
      sum += (double)values[i];
  }
  check(nc_close(file));
  printSum(sum);
  MPI_Finalize();
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: each rank opens a small file for itself, of the classic format: it lists what is read in parallel from another. */
#include "nc.h"
#include <stdlib.h>
enum { STEPS = 30, N = 4096 };
static const char *const NAME = "netcdf-serial-list.nc";
static void create(void) {
  int file, dims[2], list, field;
  static double values[STEPS * N];
  int steps[STEPS];
  for (int s = 0; s < STEPS; s++)
    steps[s] = (s * 7 + 1) % STEPS;
  check(nc_create("netcdf-serial-list-steps.nc", NC_CLOBBER, &file));
  check(nc_def_dim(file, "step", STEPS, &dims[0]));
  check(nc_def_var(file, "list", NC_INT, 1, dims, &list));
  check(nc_enddef(file));
  check(nc_put_var_int(file, list, steps));
  check(nc_close(file));
  check(nc_create(NAME, NC_CLOBBER | NC_NETCDF4, &file));
  check(nc_def_dim(file, "step", STEPS, &dims[0]));
  check(nc_def_dim(file, "n", N, &dims[1]));
  check(nc_def_var(file, "field", NC_DOUBLE, 2, dims, &field));
  for (int i = 0; i < STEPS * N; i++)
    values[i] = i % 1013;
  check(nc_put_var_double(file, field, values));
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
  int small, list, field, *steps;
  size_t count;
  static double values[N];
  check(nc_open("netcdf-serial-list-steps.nc", NC_NOWRITE, &small));
  check(nc_inq_dimlen(small, 0, &count));
  check(nc_inq_varid(small, "list", &list));
  steps = malloc(count * sizeof *steps);
  check(nc_get_var_int(small, list, steps));
  check(nc_close(small));
  check(nc_inq_varid(file, "field", &field));
  for (size_t k = 0; k < count; k++) {
    const size_t start[2] = {(size_t)(steps[k] + rank) % STEPS, 0}, one[2] = {1, N};
    check(nc_get_vara_double(file, field, start, one, values));
    for (int i = 0; i < N; i++)
      sum += values[i] * (double)(k + 1);
  }
  free(steps);
  check(nc_close(file));
  printSum(sum);
  MPI_Finalize();
}

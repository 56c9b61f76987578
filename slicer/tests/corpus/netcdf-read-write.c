/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a file that is open to read and write: what is read was there before; a new variable, another dimension and nc_sync in
 * between. */
#include "nc.h"

enum { STEPS = 24, N = 4096 };
static const char *const NAME = "netcdf-read-write.nc";
static void create(void) {
  int file, dims[2], in, out;
  static double values[STEPS * N];
  check(nc_create(NAME, NC_CLOBBER | NC_NETCDF4, &file));
  check(nc_def_dim(file, "step", STEPS, &dims[0]));
  check(nc_def_dim(file, "n", N, &dims[1]));
  check(nc_def_var(file, "in", NC_DOUBLE, 2, dims, &in));
  check(nc_def_var(file, "out", NC_DOUBLE, 2, dims, &out));
  for (int i = 0; i < STEPS * N; i++)
    values[i] = i % 2003;
  check(nc_put_var_double(file, in, values));
  check(nc_put_var_double(file, out, values));
  check(nc_close(file));
}
int main(int argc, char **argv) {
  int rank, ranks, file, in, out, late, dims[2];
  double sum = 0;
  static double values[N];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0)
    create();
  MPI_Barrier(MPI_COMM_WORLD);
  check(nc_open_par(NAME, NC_WRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
  check(nc_inq_varid(file, "in", &in));
  check(nc_inq_varid(file, "out", &out));
  const size_t mine = N / (size_t)ranks, first = (size_t)rank * mine;
  for (size_t s = 0; s < STEPS; s++) {
    const size_t start[2] = {(s * 7 + 2) % STEPS, first}, count[2] = {1, mine};
    check(nc_get_vara_double(file, in, start, count, values));
    for (size_t i = 0; i < mine; i++) {
      sum += values[i] * (double)(s + 1);
      values[i] *= 2;
    }
    check(nc_put_vara_double(file, out, start, count, values));
    if (s == STEPS / 2) {
      check(nc_redef(file));
      check(nc_inq_vardimid(file, in, dims));
      check(nc_def_var(file, "late", NC_DOUBLE, 1, &dims[1], &late));
      check(nc_put_att_text(file, late, "units", 1, "m"));
      check(nc_enddef(file));
      check(nc_put_vara_double(file, late, &first, &mine, values));
      check(nc_sync(file));
    }
  }
  check(nc_get_vara_double(file, late, &first, &mine, values));
  for (size_t i = 0; i < mine; i++)
    sum += values[i];
  check(nc_close(file));
  printSum(sum);
  MPI_Finalize();
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: groups in groups are walked through; each has a variable, and a name that leads to another. */
#include "nc.h"
#include <stdio.h>
#include <string.h>
enum { N = 8192, GROUPS = 10 };
static const char *const NAME = "netcdf-groups.nc";
static void create(void) {
  int file, dim;
  static double values[N];
  check(nc_create(NAME, NC_CLOBBER | NC_NETCDF4, &file));
  check(nc_def_dim(file, "n", N, &dim));
  for (int g = 0; g < GROUPS; g++) {
    char name[16], inner[] = "inner", next[32];
    int group, within, variable;
    sprintf(name, "group%d", g);
    sprintf(next, "/group%d/inner", (g * 3 + 2) % GROUPS);
    check(nc_def_grp(file, name, &group));
    check(nc_def_grp(group, inner, &within));
    check(nc_def_var(within, "values", NC_DOUBLE, 1, &dim, &variable));
    check(nc_put_att_text(within, NC_GLOBAL, "next", strlen(next) + 1, next));
    for (int i = 0; i < N; i++)
      values[i] = g * 11 + i % 59;
    check(nc_put_var_double(within, variable, values));
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
  int count, groups[GROUPS];
  static double values[N];
  check(nc_inq_grps(file, &count, groups));
  for (int g = 0; g < count; g++) {
    int within, variable;
    check(nc_inq_ncid(groups[(g + rank) % count], "inner", &within));
    check(nc_inq_varid(within, "values", &variable));
    check(nc_get_var_double(within, variable, values));
    for (int i = 0; i < N; i++)
      sum += values[i] * (g + 1);
  }
  char next[32] = "/group0/inner";
  for (int k = 0; k < GROUPS; k++) {
    int within, variable;
    const size_t start = (size_t)(k * 64), half = N / 2;
    check(nc_inq_grp_full_ncid(file, next, &within));
    check(nc_inq_varid(within, "values", &variable));
    check(nc_get_vara_double(within, variable, &start, &half, values));
    for (int i = 0; i < N / 2; i++)
      sum += values[i];
    check(nc_get_att_text(within, NC_GLOBAL, "next", next));
  }
  check(nc_close(file));
  printSum(sum);
  MPI_Finalize();
}

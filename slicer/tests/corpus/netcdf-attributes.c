/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: which variable is read next, and which part of it, stands in attributes: numbers of several types, and a name. */
#include "nc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 8192, SETS = 24 };
static const char *const NAME = "netcdf-attributes.nc";
static void create(void) {
  int file, dim, variables[SETS];
  double *values = malloc(N * sizeof *values);
  check(nc_create(NAME, NC_CLOBBER | NC_NETCDF4, &file));
  check(nc_def_dim(file, "n", N, &dim));
  for (int s = 0; s < SETS; s++) {
    char name[16], next[16];
    const double parts[2] = {s * 16.0, N / 2.0};
    sprintf(name, "set%02d", s);
    sprintf(next, "set%02d", (s * 7 + 3) % SETS);
    check(nc_def_var(file, name, NC_DOUBLE, 1, &dim, &variables[s]));
    check(nc_put_att_text(file, variables[s], "next", strlen(next), next));
    check(nc_put_att_double(file, variables[s], "part", NC_DOUBLE, 2, parts));
  }
  check(nc_enddef(file));
  for (int s = 0; s < SETS; s++) {
    for (int i = 0; i < N; i++)
      values[i] = s * 5 + i % 103;
    check(nc_put_var_double(file, variables[s], values));
  }
  free(values);
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
  char name[16];
  double *values = malloc(N * sizeof *values);
  sprintf(name, "set%02d", rank);
  for (int k = 0; k < 20; k++) {
    int variable;
    long long part[2];
    size_t length;
    check(nc_inq_varid(file, name, &variable));
    check(nc_get_att_longlong(file, variable, "part", part));
    const size_t start = (size_t)part[0], count = (size_t)part[1];
    check(nc_get_vara_double(file, variable, &start, &count, values));
    for (size_t i = 0; i < count; i++)
      sum += values[i] * (k + 1);
    check(nc_inq_attlen(file, variable, "next", &length));
    check(nc_get_att_text(file, variable, "next", name));
    name[length] = 0;
  }
  free(values);
  check(nc_close(file));
  printSum(sum);
  MPI_Finalize();
}

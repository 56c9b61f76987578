/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: all variables of a file are read, of as many dimensions and of such types as it says itself. */
#include "nc.h"
#include <stdio.h>
#include <stdlib.h>
static const char *const NAME = "netcdf-inquire-all.nc";
static void create(void) {
  int file, dims[3];
  static int values[8 * 64 * 64];
  check(nc_create(NAME, NC_CLOBBER | NC_NETCDF4, &file));
  check(nc_def_dim(file, "z", 8, &dims[0]));
  check(nc_def_dim(file, "y", 64, &dims[1]));
  check(nc_def_dim(file, "x", 64, &dims[2]));
  for (int i = 0; i < 8 * 64 * 64; i++)
    values[i] = i % 101;
  for (int v = 0; v < 15; v++) {
    static const nc_type kTypes[] = {NC_DOUBLE, NC_SHORT, NC_INT};
    char name[16];
    int variable;
    const int rank = 1 + v % 3;
    sprintf(name, "v%d", v);
    check(nc_def_var(file, name, kTypes[v % 3], rank, dims + 3 - rank, &variable));
    check(nc_put_var_int(file, variable, values));
  }
  check(nc_close(file));
}
int main(int argc, char **argv) {
  int rank, file;
  double sum = 0, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    create();
  MPI_Barrier(MPI_COMM_WORLD);
  check(nc_open_par(NAME, NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
  int variables, dimensions, unlimited, attributes;
  check(nc_inq(file, &dimensions, &variables, &attributes, &unlimited));
  for (int k = 0; k < variables; k++) {
    const int v = (k + rank) % variables;
    char name[NC_MAX_NAME + 1];
    nc_type type;
    int count, dims[NC_MAX_VAR_DIMS];
    size_t elements = 1, bytes;
    check(nc_inq_var(file, v, name, &type, &count, dims, NULL));
    check(nc_inq_type(file, type, NULL, &bytes));
    for (int d = 0; d < count; d++) {
      size_t length;
      check(nc_inq_dimlen(file, dims[d], &length));
      elements *= length;
    }
    void *values = malloc(elements * bytes);
    check(nc_get_var(file, v, values));
    for (size_t i = 0; i < elements; i++)
      sum += type == NC_DOUBLE  ? ((double *)values)[i]
             : type == NC_SHORT ? ((short *)values)[i]
                                : ((int *)values)[i];
    free(values);
  }
  check(nc_close(file));
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.1f\n", all);
  MPI_Finalize();
}

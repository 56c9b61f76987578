/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: record variables, all that there are, of a file that tells by itself what is in it. */
#include "pnc.h"
#include <stdlib.h>
enum { kLength = 700 };

static void makeInput(void) {
  int f, dims[2], ids[4];
  static double line[kLength];
  check(ncmpi_create(MPI_COMM_SELF, "pnetcdf-records.nc", NC_CLOBBER, MPI_INFO_NULL, &f));
  check(ncmpi_def_dim(f, "time", NC_UNLIMITED, &dims[0]));
  check(ncmpi_def_dim(f, "length", kLength, &dims[1]));
  check(ncmpi_def_var(f, "wind", NC_DOUBLE, 2, dims, &ids[0]));
  check(ncmpi_def_var(f, "level", NC_SHORT, 1, dims, &ids[1]));
  check(ncmpi_def_var(f, "fixed", NC_FLOAT, 1, dims + 1, &ids[2]));
  check(ncmpi_def_var(f, "rain", NC_FLOAT, 2, dims, &ids[3]));
  check(ncmpi_enddef(f));
  for (int i = 0; i < kLength; i++)
    line[i] = i % 311;
  check(ncmpi_put_var_double_all(f, ids[2], line));
  for (MPI_Offset t = 0; t < 24; t++) {
    MPI_Offset start[2] = {t, 0}, count[2] = {1, kLength};
    short level = (short)(t * 3);
    line[t] = (double)t;
    check(ncmpi_put_vara_double_all(f, ids[0], start, count, line));
    check(ncmpi_put_vara_double_all(f, ids[3], start, count, line));
    check(ncmpi_put_var1_short_all(f, ids[1], &t, &level));
  }
  check(ncmpi_close(f));
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    makeInput();
  MPI_Barrier(MPI_COMM_WORLD);
  long sum = 0;
  int f, variables, unlimited;
  MPI_Offset steps;
  check(ncmpi_open(MPI_COMM_WORLD, "pnetcdf-records.nc", NC_NOWRITE, MPI_INFO_NULL, &f));
  check(ncmpi_inq_nvars(f, &variables));
  check(ncmpi_inq_unlimdim(f, &unlimited));
  check(ncmpi_inq_dimlen(f, unlimited, &steps));
  for (int v = 0; v < variables; v++) {
    char name[NC_MAX_NAME + 1];
    int count, dims[NC_MAX_NAME];
    nc_type type;
    check(ncmpi_inq_var(f, v, name, &type, &count, dims, NULL));
    if (count == 2 && dims[0] == unlimited)
      for (MPI_Offset t = 0; t < steps; t++) {
        MPI_Offset length, start[2] = {t, 0}, many[2] = {1, 0};
        check(ncmpi_inq_dimlen(f, dims[1], &length));
        many[1] = length / size;
        start[1] = rank * many[1];
        double *values = malloc((size_t)many[1] * sizeof *values);
        check(ncmpi_get_vara_double_all(f, v, start, many, values));
        sum += (long)values[many[1] - 1] + name[0];
        free(values);
      }
    else if (type == NC_SHORT) {
      short *levels = malloc((size_t)steps * sizeof *levels);
      check(ncmpi_get_var_short_all(f, v, levels));
      sum += levels[steps - 1];
      free(levels);
    }
  }
  check(ncmpi_close(f));
  printTotal("records", sum);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: lists of boxes in one read; several variables in one read. */
#include "pnc.h"

enum { kLength = 6000, kBoxes = 6 };

static void makeInput(void) {
  int f, dim, number, line, other;
  static int values[kLength];
  check(ncmpi_create(MPI_COMM_SELF, "pnetcdf-varn.nc", NC_CLOBBER, MPI_INFO_NULL, &f));
  check(ncmpi_def_dim(f, "length", kLength, &dim));
  check(ncmpi_def_var(f, "number", NC_INT, 1, &dim, &number));
  check(ncmpi_def_var(f, "line", NC_INT, 1, &dim, &line));
  check(ncmpi_def_var(f, "other", NC_FLOAT, 1, &dim, &other));
  check(ncmpi_enddef(f));
  for (int i = 0; i < kLength; i++)
    values[i] = i * 37 % 5000;
  check(ncmpi_put_var_int_all(f, number, values));
  check(ncmpi_put_var_int_all(f, line, values));
  check(ncmpi_put_var_int_all(f, other, values));
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
  int f, number, variables[2], places[8 * kBoxes];
  check(ncmpi_open(MPI_COMM_WORLD, "pnetcdf-varn.nc", NC_NOWRITE, MPI_INFO_NULL, &f));
  check(ncmpi_inq_varid(f, "number", &number));
  check(ncmpi_inq_varid(f, "line", &variables[0]));
  check(ncmpi_inq_varid(f, "other", &variables[1]));
  MPI_Offset first = rank * 100, many = 8 * kBoxes;
  check(ncmpi_get_vara_int_all(f, number, &first, &many, places));
  for (int i = 0; i < 8; i++) {
    MPI_Offset start[kBoxes], count[kBoxes], *starts[kBoxes], *counts[kBoxes];
    int values[kBoxes * 20];
    for (int k = 0; k < kBoxes; k++) {
      start[k] = places[i * kBoxes + k];
      count[k] = 20;
      starts[k] = &start[k];
      counts[k] = &count[k];
    }
    check(ncmpi_get_varn_int_all(f, variables[0], kBoxes, starts, counts, values));
    sum += values[i] + values[119];
    int pair[2][20], *buffers[2] = {pair[0], pair[1]};
    check(ncmpi_mget_vara_int_all(f, 2, variables, starts, counts, buffers));
    sum += pair[0][3] + pair[1][4];
  }
  check(ncmpi_close(f));
  printTotal("varn", sum);
  MPI_Finalize();
  return 0;
}

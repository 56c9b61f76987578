/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a file open to read and write is read, changed and read again; a variable is added meanwhile, which moves the others. */
#include "pnc.h"
#include <stdio.h>
enum { kLength = 4000 };

static void makeInput(void) {
  int f, dim, line;
  static int values[kLength];
  check(ncmpi_create(MPI_COMM_SELF, "pnetcdf-read-write.nc", NC_CLOBBER, MPI_INFO_NULL, &f));
  check(ncmpi_def_dim(f, "length", kLength, &dim));
  check(ncmpi_def_var(f, "line", NC_INT, 1, &dim, &line));
  check(ncmpi_enddef(f));
  for (int i = 0; i < kLength; i++)
    values[i] = i * 7 % 3700;
  check(ncmpi_put_var_int_all(f, line, values));
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
  int f, line, dim, values[100], added[4];
  check(ncmpi_open(MPI_COMM_WORLD, "pnetcdf-read-write.nc", NC_WRITE, MPI_INFO_NULL, &f));
  check(ncmpi_inq_varid(f, "line", &line));
  check(ncmpi_inq_dimid(f, "length", &dim));
  MPI_Offset part = kLength / size, many = 100, next = 5;
  for (int i = 0; i < 24; i++) {
    MPI_Offset from = rank * part + next % (part - 100);
    check(ncmpi_get_vara_int_all(f, line, &from, &many, values));
    sum += values[i];
    next = values[i * 2];
    for (int k = 0; k < 100; k++)
      values[k] = (values[k] * 5 + i) % 3900;
    from = rank * part + next % (part - 100);
    check(ncmpi_put_vara_int_all(f, line, &from, &many, values));
    if (i % 6 == 5) {
      char name[16];
      snprintf(name, sizeof name, "new%d", i);
      check(ncmpi_redef(f));
      check(ncmpi_def_var(f, name, NC_INT, 1, &dim, &added[i / 6]));
      check(ncmpi_put_att_int(f, added[i / 6], "step", NC_INT, 1, &i));
      check(ncmpi_enddef(f));
      from = rank * part;
      check(ncmpi_put_vara_int_all(f, added[i / 6], &from, &many, values));
      check(ncmpi_sync(f));
      check(ncmpi_get_vara_int_all(f, added[i / 6], &from, &many, values));
      sum += values[50];
    }
  }
  check(ncmpi_close(f));
  printTotal("read-write", sum);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: what is not there: a file, a variable, an attribute, a part of a variable. The program goes on without. */
#include "pnc.h"

enum { kLength = 2000 };

static void makeInput(void) {
  int f, dim, line;
  static int values[kLength];
  check(ncmpi_create(MPI_COMM_SELF, "pnetcdf-missing.nc", NC_CLOBBER, MPI_INFO_NULL, &f));
  check(ncmpi_def_dim(f, "length", kLength, &dim));
  check(ncmpi_def_var(f, "line", NC_INT, 1, &dim, &line));
  check(ncmpi_enddef(f));
  for (int i = 0; i < kLength; i++)
    values[i] = i * 3 % 1601;
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
  const char *names[] = {"pnetcdf-missing-not-there.nc", "pnetcdf-missing.nc"};
  int f, line, rc = NC_ENOENT, stride, values[150];
  for (int i = 0; i < 2 && rc != NC_NOERR; i++)
    rc = ncmpi_open(MPI_COMM_WORLD, names[i], NC_NOWRITE, MPI_INFO_NULL, &f);
  check(rc);
  if (ncmpi_inq_varid(f, "curve", &line) == NC_ENOTVAR)
    check(ncmpi_inq_varid(f, "line", &line));
  if (ncmpi_get_att_int(f, line, "stride", &stride) != NC_NOERR)
    stride = 110;
  MPI_Offset many = 150;
  for (MPI_Offset from = rank * 7;; from += stride) {
    rc = ncmpi_get_vara_int_all(f, line, &from, &many, values);
    if (rc != NC_NOERR)
      break;
    sum += values[stride];
  }
  sum += rc == NC_EEDGE;
  check(ncmpi_close(f));
  printTotal("missing", sum);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: every n-th element, and elements that are transposed in memory; a transposed table says what is read next. */
#include "pnc.h"

enum { kRows = 96, kCols = 60 };

static void makeInput(void) {
  int f, dims[2], small[2], table, field;
  static int values[kRows * kCols];
  check(ncmpi_create(MPI_COMM_SELF, "pnetcdf-strided.nc", NC_CLOBBER, MPI_INFO_NULL, &f));
  check(ncmpi_def_dim(f, "row", kRows, &dims[0]));
  check(ncmpi_def_dim(f, "column", kCols, &dims[1]));
  check(ncmpi_def_dim(f, "three", 3, &small[0]));
  check(ncmpi_def_dim(f, "eight", 8, &small[1]));
  check(ncmpi_def_var(f, "table", NC_INT, 2, small, &table));
  check(ncmpi_def_var(f, "field", NC_INT, 2, dims, &field));
  check(ncmpi_enddef(f));
  for (int i = 0; i < kRows * kCols; i++)
    values[i] = i * 3 % 71;
  check(ncmpi_put_var_int_all(f, field, values));
  for (int i = 0; i < 24; i++)
    values[i] = i * 5 % 24;
  check(ncmpi_put_var_int_all(f, table, values));
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
  int f, table, field, where[8][3];
  check(ncmpi_open(MPI_COMM_WORLD, "pnetcdf-strided.nc", NC_NOWRITE, MPI_INFO_NULL, &f));
  check(ncmpi_inq_varid(f, "table", &table));
  check(ncmpi_inq_varid(f, "field", &field));
  MPI_Offset all[2] = {0, 0}, whole[2] = {3, 8}, one[2] = {1, 1}, transposed[2] = {1, 3};
  check(ncmpi_get_varm_int_all(f, table, all, whole, one, transposed, where[0]));
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++) {
      MPI_Offset start[2] = {where[i][k] + rank, k}, count[2] = {10, 15};
      MPI_Offset stride[2] = {3 + k, 4 - k}, map[2] = {1, 10};
      int values[150];
      if (k == 1)
        check(ncmpi_get_varm_int_all(f, field, start, count, stride, map, values));
      else
        check(ncmpi_get_vars_int_all(f, field, start, count, stride, values));
      sum += values[7] * 3 + values[149];
    }
  check(ncmpi_close(f));
  printTotal("strided", sum);
  MPI_Finalize();
  return 0;
}

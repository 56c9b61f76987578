/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: independent mode, of as many reads as each process likes; one value says where the next read is; other types in memory than in the file. */
#include "pnc.h"

enum { kRows = 200, kCols = 150 };

static void makeInput(void) {
  int f, dims[2], next, field;
  static short row[kCols];
  check(ncmpi_create(MPI_COMM_SELF, "pnetcdf-independent.nc", NC_CLOBBER, MPI_INFO_NULL, &f));
  check(ncmpi_def_dim(f, "row", kRows, &dims[0]));
  check(ncmpi_def_dim(f, "column", kCols, &dims[1]));
  check(ncmpi_def_var(f, "next", NC_INT, 1, dims, &next));
  check(ncmpi_def_var(f, "field", NC_SHORT, 2, dims, &field));
  check(ncmpi_enddef(f));
  check(ncmpi_begin_indep_data(f));
  for (MPI_Offset r = 0; r < kRows; r++) {
    MPI_Offset start[2] = {r, 0}, count[2] = {1, kCols};
    long to = (r * 13 + 7) % kRows;
    check(ncmpi_put_var1_long(f, next, &r, &to));
    for (int i = 0; i < kCols; i++)
      row[i] = (short)((r * 3 + i) % 501);
    check(ncmpi_put_vara_short(f, field, start, count, row));
  }
  check(ncmpi_end_indep_data(f));
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
  int f, next, field;
  check(ncmpi_open(MPI_COMM_WORLD, "pnetcdf-independent.nc", NC_NOWRITE, MPI_INFO_NULL, &f));
  check(ncmpi_inq_varid(f, "next", &next));
  check(ncmpi_inq_varid(f, "field", &field));
  check(ncmpi_begin_indep_data(f));
  MPI_Offset row = rank;
  for (int i = 0; i < 30 + 5 * rank; i++) {
    MPI_Offset start[2] = {row, 10}, count[2] = {1, 100};
    float values[100];
    check(ncmpi_get_vara_float(f, field, start, count, values));
    sum += (long)values[i] + (long)values[99];
    long long to;
    check(ncmpi_get_var1_longlong(f, next, &row, &to));
    row = to;
  }
  check(ncmpi_end_indep_data(f));
  check(ncmpi_close(f));
  printTotal("independent", sum);
  MPI_Finalize();
  return 0;
}

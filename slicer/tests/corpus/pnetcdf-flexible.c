/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: buffers that an MPI datatype describes: with ghost cells around, of its own kind, and an index. */
#include "pnc.h"

enum { kRows = 120, kCols = 64, kGhost = 2 };

static void makeInput(void) {
  int f, dims[2], order, field, numbers[kRows];
  static int values[kRows * kCols];
  check(ncmpi_create(MPI_COMM_SELF, "pnetcdf-flexible.nc", NC_CLOBBER, MPI_INFO_NULL, &f));
  check(ncmpi_def_dim(f, "row", kRows, &dims[0]));
  check(ncmpi_def_dim(f, "column", kCols, &dims[1]));
  check(ncmpi_def_var(f, "order", NC_INT, 1, dims, &order));
  check(ncmpi_def_var(f, "field", NC_INT, 2, dims, &field));
  check(ncmpi_enddef(f));
  for (int i = 0; i < kRows; i++)
    numbers[i] = i * 11 % 110;
  for (int i = 0; i < kRows * kCols; i++)
    values[i] = i * 7 % 499;
  check(ncmpi_put_var_all(f, order, numbers, kRows, MPI_INT));
  check(ncmpi_put_var_all(f, field, values, 0, MPI_DATATYPE_NULL));
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
  int f, order, field, numbers[kRows];
  check(ncmpi_open(MPI_COMM_WORLD, "pnetcdf-flexible.nc", NC_NOWRITE, MPI_INFO_NULL, &f));
  check(ncmpi_inq_varid(f, "order", &order));
  check(ncmpi_inq_varid(f, "field", &field));
  check(ncmpi_get_var_all(f, order, numbers, kRows, MPI_INT));
  int sizes[2] = {8 + 2 * kGhost, kCols + 2 * kGhost}, inner[2] = {8, kCols};
  int at[2] = {kGhost, kGhost};
  MPI_Datatype ghosts;
  MPI_Type_create_subarray(2, sizes, inner, at, MPI_ORDER_C, MPI_INT, &ghosts);
  MPI_Type_commit(&ghosts);
  static int tile[8 + 2 * kGhost][kCols + 2 * kGhost], plain[8][kCols];
  for (int i = 0; i < 30; i++) {
    MPI_Offset start[2] = {numbers[(i * size + rank) % 110], 0}, count[2] = {8, kCols};
    if (i % 2 == 0)
      check(ncmpi_get_vara_all(f, field, start, count, tile, 1, ghosts));
    else
      check(ncmpi_get_vara_all(f, field, start, count, plain, 0, MPI_DATATYPE_NULL));
    sum += tile[kGhost + 7][kGhost + i] + plain[3][i];
  }
  MPI_Type_free(&ghosts);
  check(ncmpi_close(f));
  printTotal("flexible", sum);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: records that all processes add to a file: how many there are none of them knows by itself. */
#include "pnc.h"

enum { kLength = 2000, kAdded = 3 };

static void makeInput(void) {
  int f, dims[2], field;
  static float values[kLength];
  check(ncmpi_create(MPI_COMM_SELF, "pnetcdf-growing.nc", NC_CLOBBER, MPI_INFO_NULL, &f));
  check(ncmpi_def_dim(f, "time", NC_UNLIMITED, &dims[0]));
  check(ncmpi_def_dim(f, "length", kLength, &dims[1]));
  check(ncmpi_def_var(f, "field", NC_FLOAT, 2, dims, &field));
  check(ncmpi_enddef(f));
  for (MPI_Offset t = 0; t < 10; t++) {
    MPI_Offset start[2] = {t, 0}, count[2] = {1, kLength};
    for (int i = 0; i < kLength; i++)
      values[i] = (float)((t + i) % 407);
    check(ncmpi_put_vara_float_all(f, field, start, count, values));
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
  int f, field, time;
  MPI_Offset steps, part = kLength / size;
  static float values[kLength];
  check(ncmpi_open(MPI_COMM_WORLD, "pnetcdf-growing.nc", NC_WRITE, MPI_INFO_NULL, &f));
  check(ncmpi_inq_varid(f, "field", &field));
  check(ncmpi_inq_unlimdim(f, &time));
  check(ncmpi_inq_dimlen(f, time, &steps));
  for (MPI_Offset t = 0; t < steps; t++) {
    MPI_Offset start[2] = {t, rank * part}, count[2] = {1, part};
    check(ncmpi_get_vara_float_all(f, field, start, count, values));
    sum += (long)values[part - 1];
  }
  for (int i = 0; i < kAdded; i++) {
    MPI_Offset start[2] = {steps + rank * kAdded + i, 0}, count[2] = {1, kLength};
    check(ncmpi_put_vara_float_all(f, field, start, count, values));
  }
  check(ncmpi_sync(f));
  MPI_Barrier(MPI_COMM_WORLD);
  check(ncmpi_sync(f));
  check(ncmpi_inq_dimlen(f, time, &steps));
  for (MPI_Offset t = 9; t < steps; t++) {
    MPI_Offset start[2] = {t, rank * part}, count[2] = {1, part};
    check(ncmpi_get_vara_float_all(f, field, start, count, values));
    sum += (long)values[part - 1] * t;
  }
  check(ncmpi_close(f));
  printTotal("growing", sum);
  MPI_Finalize();
  return 0;
}

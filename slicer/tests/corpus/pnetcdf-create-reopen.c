/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: what is created is written, read while it is open, closed, opened again and read, by what an attribute says. */
#include "pnc.h"

enum { kSteps = 20, kLength = 600 };

static void makeInput(void) {}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    makeInput();
  MPI_Barrier(MPI_COMM_WORLD);
  long sum = 0;
  int f, dims[2], field, stride = 3;
  double values[kLength / 4];
  MPI_Offset part = kLength / 4;
  check(ncmpi_create(MPI_COMM_WORLD, "pnetcdf-create-reopen.nc", NC_CLOBBER, MPI_INFO_NULL, &f));
  check(ncmpi_def_dim(f, "time", kSteps, &dims[0]));
  check(ncmpi_def_dim(f, "length", kLength, &dims[1]));
  check(ncmpi_def_var(f, "field", NC_DOUBLE, 2, dims, &field));
  check(ncmpi_put_att_int(f, field, "stride", NC_INT, 1, &stride));
  check(ncmpi_enddef(f));
  for (int t = 0; t < kSteps; t++) {
    MPI_Offset start[2] = {t, rank * part}, count[2] = {1, part};
    for (int i = 0; i < part; i++)
      values[i] = t * 100 + i + rank;
    check(ncmpi_put_vara_double_all(f, field, start, count, values));
  }
  for (int t = 0; t < kSteps; t += 2) {
    MPI_Offset start[2] = {t, rank * part}, count[2] = {1, part};
    check(ncmpi_get_vara_double_all(f, field, start, count, values));
    sum += (long)values[t];
  }
  check(ncmpi_close(f));
  MPI_Barrier(MPI_COMM_WORLD);
  check(ncmpi_open(MPI_COMM_WORLD, "pnetcdf-create-reopen.nc", NC_NOWRITE, MPI_INFO_NULL, &f));
  check(ncmpi_inq_varid(f, "field", &field));
  int step;
  check(ncmpi_get_att_int(f, field, "stride", &step));
  for (int t = 0; t < kSteps; t += step) {
    MPI_Offset start[2] = {t, (rank + 1) % size * part}, count[2] = {1, part};
    check(ncmpi_get_vara_double_all(f, field, start, count, values));
    sum += (long)values[t];
  }
  check(ncmpi_close(f));
  printTotal("create-reopen", sum);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: all ways to write: at once and by request, from a buffer that is attached, lists of boxes, values that fill; what is written is read, and names and paths are asked for. */
#include "pnc.h"
#include <string.h>
enum { kRows = 30, kCols = 200 };

static void makeInput(void) {
  int f, dims[2], field;
  static float values[kRows * kCols];
  check(ncmpi_create(MPI_COMM_SELF, "pnetcdf-writing.nc", NC_CLOBBER, MPI_INFO_NULL, &f));
  check(ncmpi_def_dim(f, "row", kRows, &dims[0]));
  check(ncmpi_def_dim(f, "column", kCols, &dims[1]));
  check(ncmpi_def_var(f, "field", NC_FLOAT, 2, dims, &field));
  check(ncmpi_put_att_text(f, field, "units", 1, "K"));
  check(ncmpi_put_att_text(f, field, "name", 4, "heat"));
  check(ncmpi_enddef(f));
  for (int i = 0; i < kRows * kCols; i++)
    values[i] = (float)(i % 307);
  check(ncmpi_put_var_float_all(f, field, values));
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
  int f, field, filled, dims[2], requests[3], attributes, length;
  char name[NC_MAX_NAME + 1], path[64];
  float part[kCols];
  check(ncmpi_open(MPI_COMM_WORLD, "pnetcdf-writing.nc", NC_WRITE, MPI_INFO_NULL, &f));
  check(ncmpi_inq_path(f, &length, path));
  check(ncmpi_inq_varid(f, "field", &field));
  check(ncmpi_inq_var(f, field, name, NULL, NULL, dims, &attributes));
  for (int i = 0; i < attributes; i++) {
    check(ncmpi_inq_attname(f, field, i, name));
    MPI_Offset start[2] = {(rank * 7 + (int)strlen(name)) % kRows, length}, count[2] = {1, 100};
    check(ncmpi_get_vara_float_all(f, field, start, count, part));
    sum += (long)part[50];
  }
  MPI_Barrier(MPI_COMM_WORLD);
  check(ncmpi_redef(f));
  check(ncmpi_def_var(f, "filled", NC_SHORT, 2, dims, &filled));
  short fill = 7;
  check(ncmpi_def_var_fill(f, filled, 0, &fill));
  check(ncmpi_enddef(f));
  check(ncmpi_buffer_attach(f, 100000));
  for (int i = 0; i < 5; i++) {
    int row = (rank * 5 + i) % kRows;
    MPI_Offset start[2] = {row, 0}, count[2] = {1, 50}, second[2] = {row, 50},
               third[2] = {row, 100};
    MPI_Offset *starts[2] = {second, third}, *counts[2] = {count, count}, stride[2] = {1, 1};
    for (int k = 0; k < kCols; k++)
      part[k] = (float)(row + k % 11);
    check(ncmpi_iput_vara_float(f, field, start, count, part, &requests[0]));
    check(ncmpi_bput_vars_float(f, field, second, count, stride, part, &requests[1]));
    check(ncmpi_iput_var1_float(f, field, third, part, &requests[2]));
    check(ncmpi_wait_all(f, 3, requests, NULL));
    check(ncmpi_put_varn_float_all(f, filled, 2, starts, counts, part));
    check(ncmpi_sync(f));
    count[1] = kCols;
    check(ncmpi_get_vara_float_all(f, field, start, count, part));
    sum += (long)part[30] + (long)part[60];
    check(ncmpi_get_vara_float_all(f, filled, start, count, part));
    sum += (long)part[20] + (long)part[110];
  }
  check(ncmpi_buffer_detach(f));
  check(ncmpi_close(f));
  printTotal("writing", sum);
  MPI_Finalize();
  return 0;
}

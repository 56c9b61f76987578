/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: strided reads, mapped reads (into memory by columns), single elements, of a contiguous and of a chunked variable; in which
 * order the parts are read is computed. */
#include "nc.h"
#include <stdlib.h>
enum { ROWS = 256, COLUMNS = 512 };
static const char *const NAME = "netcdf-strided-mapped.nc";
static void create(void) {
  int file, dims[2], plain, tiled;
  const size_t chunks[2] = {16, 32};
  check(nc_create(NAME, NC_CLOBBER | NC_NETCDF4, &file));
  check(nc_def_dim(file, "y", ROWS, &dims[0]));
  check(nc_def_dim(file, "x", COLUMNS, &dims[1]));
  check(nc_def_var(file, "plain", NC_INT, 2, dims, &plain));
  check(nc_def_var(file, "tiled", NC_DOUBLE, 2, dims, &tiled));
  check(nc_def_var_chunking(file, tiled, NC_CHUNKED, chunks));
  int *values = malloc(ROWS * COLUMNS * sizeof *values);
  for (int i = 0; i < ROWS * COLUMNS; i++)
    values[i] = i % 1009;
  check(nc_put_var_int(file, plain, values));
  check(nc_put_var_int(file, tiled, values));
  free(values);
  check(nc_close(file));
}
int main(int argc, char **argv) {
  int rank, file;
  double sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    create();
  MPI_Barrier(MPI_COMM_WORLD);
  check(nc_open_par(NAME, NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
  int plain, tiled;
  static double part[ROWS];
  static float columns[16][8];
  check(nc_inq_varid(file, "plain", &plain));
  check(nc_inq_varid(file, "tiled", &tiled));
  for (size_t k = 0; k < 12; k++) {
    const size_t column = (k * 29 + (size_t)rank * 64) % COLUMNS;
    const size_t first[2] = {k % 4, column}, count[2] = {ROWS / 4, 1};
    const ptrdiff_t stride[2] = {4, 1};
    check(nc_get_vars_double(file, plain, first, count, stride, part));
    for (int i = 0; i < ROWS / 4; i++)
      sum += part[i] * (double)(k + 1);
    const size_t corner[2] = {(k * 16) % ROWS, column / 8 * 8}, extent[2] = {8, 8};
    const ptrdiff_t each[2] = {2, 1}, map[2] = {1, 8};
    const size_t inside[2] = {corner[0] > ROWS - 16 ? ROWS - 16 : corner[0], corner[1]};
    check(nc_get_varm_float(file, tiled, inside, extent, each, map, &columns[0][0]));
    for (int i = 0; i < 8; i++)
      sum += (double)columns[i][k % 8];
    int one;
    check(nc_get_var1_int(file, plain, corner, &one));
    sum += one;
  }
  check(nc_close(file));
  printSum(sum);
  MPI_Finalize();
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: chunks that are read a second time are announced again, since in parallel HDF5 keeps 1 MiB of them (netCDF's own
 * 16 MiB are for files of one process); of chunks that all ranks read together, that alone which is selected. */
#include "nc.h"
#include <stdlib.h>
enum { CHUNKS = 12, N = 32768 };
static const char *const NAME = "netcdf-caches.nc";
static void create(void) {
  int file, dims[2], alone, together;
  const size_t chunk[2] = {1, N};
  double *values = malloc(CHUNKS * N * sizeof *values);
  for (int i = 0; i < CHUNKS * N; i++)
    values[i] = i % 1021;
  check(nc_create(NAME, NC_CLOBBER | NC_NETCDF4, &file));
  check(nc_def_dim(file, "chunk", CHUNKS, &dims[0]));
  check(nc_def_dim(file, "n", N, &dims[1]));
  check(nc_def_var(file, "alone", NC_DOUBLE, 2, dims, &alone));
  check(nc_def_var_chunking(file, alone, NC_CHUNKED, chunk));
  check(nc_def_var(file, "together", NC_DOUBLE, 2, dims, &together));
  check(nc_def_var_chunking(file, together, NC_CHUNKED, chunk));
  check(nc_put_var_double(file, alone, values));
  check(nc_put_var_double(file, together, values));
  free(values);
  check(nc_close(file));
}
int main(int argc, char **argv) {
  int rank, file, alone, together;
  double sum = 0;
  static double values[N];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    create();
  MPI_Barrier(MPI_COMM_WORLD);
  check(nc_open_par(NAME, NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
  check(nc_inq_varid(file, "alone", &alone));
  check(nc_inq_varid(file, "together", &together));
  for (size_t k = 0; k < 2 * CHUNKS; k++) {
    const size_t start[2] = {k % CHUNKS, (k / CHUNKS) * 4096}, count[2] = {1, 4096};
    check(nc_get_vara_double(file, alone, start, count, values));
    for (int i = 0; i < 4096; i++)
      sum += values[i] * (double)(k + 1);
  }
  check(nc_var_par_access(file, together, NC_COLLECTIVE));
  for (size_t k = 0; k < CHUNKS; k++) {
    const size_t start[2] = {k, (size_t)rank * 8192}, count[2] = {1, 4096};
    check(nc_get_vara_double(file, together, start, count, values));
    for (int i = 0; i < 4096; i++)
      sum += values[i];
  }
  check(nc_close(file));
  printSum(sum);
  MPI_Finalize();
}

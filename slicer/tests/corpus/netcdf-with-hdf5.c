/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: one file, read by netCDF and by HDF5: each says what the other reads next. */
#include "nc.h"
#include <hdf5.h>
enum { STEPS = 24, N = 8192 };
static const char *const NAME = "netcdf-with-hdf5.nc";
static void create(void) {
  int file, dims[2], order, field;
  static double values[STEPS * N];
  int next[STEPS];
  check(nc_create(NAME, NC_CLOBBER | NC_NETCDF4, &file));
  check(nc_def_dim(file, "step", STEPS, &dims[0]));
  check(nc_def_dim(file, "n", N, &dims[1]));
  check(nc_def_var(file, "order", NC_INT, 1, dims, &order));
  check(nc_def_var(file, "field", NC_DOUBLE, 2, dims, &field));
  for (int i = 0; i < STEPS * N; i++)
    values[i] = i % 1511;
  for (int s = 0; s < STEPS; s++)
    next[s] = (s * 5 + 2) % STEPS;
  check(nc_put_var_double(file, field, values));
  check(nc_put_var_int(file, order, next));
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
  int order, field, next[STEPS];
  static double values[N];
  check(nc_inq_varid(file, "field", &field));
  check(nc_inq_varid(file, "order", &order));
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  hid_t same = H5Fopen(NAME, H5F_ACC_RDONLY, access);
  hid_t set = H5Dopen(same, "field", H5P_DEFAULT), index = H5Dopen(same, "order", H5P_DEFAULT);
  hid_t space = H5Dget_space(set);
  H5Dread(index, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, next);
  for (int k = 0; k < STEPS; k++) {
    const size_t start[2] = {(size_t)(next[k] + rank) % STEPS, 0}, count[2] = {1, N};
    check(nc_get_vara_double(file, field, start, count, values));
    for (int i = 0; i < N; i++)
      sum += values[i] * (k + 1);
    int other;
    const size_t at = (size_t)k;
    check(nc_get_var1_int(file, order, &at, &other));
    hsize_t first[2] = {(hsize_t)(other + 1 + rank) % STEPS, N / 2}, half[2] = {1, N / 2},
            points = N / 2;
    hid_t memory = H5Screate_simple(1, &points, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, half, NULL);
    H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values);
    H5Sclose(memory);
    for (int i = 0; i < N / 2; i++)
      sum += values[i];
  }
  H5Sclose(space);
  H5Dclose(index);
  H5Dclose(set);
  H5Fclose(same);
  H5Pclose(access);
  check(nc_close(file));
  printSum(sum);
  MPI_Finalize();
}

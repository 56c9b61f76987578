/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: strides, blocks, unions of hyperslabs (H5S_SELECT_OR), an exclusion (NOTB), points and nothing at all are selected;
 * contiguous, chunked and compact. */
#include "h5.h"
#include <stdlib.h>
enum { kRows = 48, kCols = 96 };
static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-hyperslab-union.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t dims[2] = {kRows, kCols}, chunk[2] = {8, 16}, few = 100;
  static int v[kRows][kCols];
  for (int i = 0; i < kRows * kCols; i++)
    v[i / kCols][i % kCols] = i * 5 % 977;
  hid_t s = H5Screate_simple(2, dims, NULL);
  hid_t p = H5Pcreate(H5P_DATASET_CREATE);
  hid_t d = H5Dcreate2(f, "contiguous", H5T_NATIVE_INT, s, H5P_DEFAULT, p, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
  H5Pset_chunk(p, 2, chunk);
  d = H5Dcreate2(f, "chunked", H5T_NATIVE_INT, s, H5P_DEFAULT, p, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
  H5Sclose(s);
  H5Pset_layout(p, H5D_COMPACT);
  s = H5Screate_simple(1, &few, NULL);
  d = H5Dcreate2(f, "compact", H5T_NATIVE_INT, s, H5P_DEFAULT, p, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
  H5Sclose(s);
  H5Pclose(p);
  H5Fclose(f);
}

static long take(hid_t d, hid_t fs) {
  hssize_t n = H5Sget_select_npoints(fs);
  hsize_t count = (hsize_t)n;
  int *v = malloc((size_t)(n + 1) * sizeof *v);
  long sum = n;
  hid_t ms = H5Screate_simple(1, &count, NULL);
  if (n == 0)
    H5Sselect_none(ms);
  H5Dread(d, H5T_NATIVE_INT, ms, fs, H5P_DEFAULT, v);
  for (hssize_t i = 0; i < n; i++)
    sum += v[i];
  free(v);
  H5Sclose(ms);
  return sum;
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
  static const char *const names[] = {"contiguous", "chunked"};
  hid_t f = openToRead("hdf5-hyperslab-union.h5", MPI_COMM_WORLD);
  int places[100];
  hid_t c = H5Dopen2(f, "compact", H5P_DEFAULT);
  H5Dread(c, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, places);
  for (int k = 0; k < 2; k++) {
    hid_t d = H5Dopen2(f, names[k], H5P_DEFAULT), fs = H5Dget_space(d);
    hsize_t start[2] = {1, 2}, stride[2] = {6, 12}, count[2] = {4, 5}, block[2] = {2, 3};
    H5Sselect_hyperslab(fs, H5S_SELECT_SET, start, stride, count, block);
    start[0] = 30 + (hsize_t)rank;
    H5Sselect_hyperslab(fs, H5S_SELECT_OR, start, NULL, count, NULL);
    start[0] = 7, block[0] = 4, block[1] = 30, count[0] = count[1] = 1;
    H5Sselect_hyperslab(fs, H5S_SELECT_NOTB, start, NULL, count, block);
    sum += take(d, fs);
    hsize_t points[10][2];
    for (int i = 0; i < 10; i++)
      points[i][0] = (hsize_t)places[i + rank] % kRows,
      points[i][1] = (hsize_t)places[i * 3] % kCols;
    H5Sselect_elements(fs, H5S_SELECT_SET, 10, &points[0][0]);
    sum += take(d, fs);
    hsize_t offset[2] = {0, 0};
    H5Sselect_none(fs);
    H5Soffset_simple(fs, (hssize_t *)offset);
    sum += take(d, fs);
    H5Sclose(fs);
    H5Dclose(d);
  }
  H5Dclose(c);
  H5Fclose(f);
  printTotal("hyperslab-union", sum);
  MPI_Finalize();
  return 0;
}

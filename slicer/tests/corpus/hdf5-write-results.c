/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: while one file is read, another is written: an extendible data set, a row and an attribute each step. */
#include "h5.h"
#include <stdio.h>
static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-write-results.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n[2] = {30, 200}, c[2] = {5, 50};
  static int v[30][200];
  for (int i = 0; i < 6000; i++)
    v[i / 200][i % 200] = i * 7 % 2800;
  hid_t s = H5Screate_simple(2, n, NULL), p = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(p, 2, c);
  hid_t d = H5Dcreate2(f, "d", H5T_NATIVE_INT, s, H5P_DEFAULT, p, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
  H5Pclose(p);
  H5Sclose(s);
  H5Fclose(f);
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
  hid_t f = openToRead("hdf5-write-results.h5", MPI_COMM_WORLD);
  hid_t d = H5Dopen2(f, "d", H5P_DEFAULT);
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
  hid_t out = H5Fcreate("hdf5-write-results-out.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  H5Pclose(fapl);
  hsize_t dims[2] = {0, 200}, most[2] = {H5S_UNLIMITED, 200}, chunk[2] = {4, 200};
  hid_t p = H5Pcreate(H5P_DATASET_CREATE), s = H5Screate_simple(2, dims, most);
  H5Pset_chunk(p, 2, chunk);
  hid_t r = H5Dcreate2(out, "results", H5T_NATIVE_LONG, s, H5P_DEFAULT, p, H5P_DEFAULT);
  H5Sclose(s);
  for (int step = 0; step < 30; step++) {
    int v[200];
    long w[200];
    hsize_t start[2] = {(hsize_t)((step * 11 + rank) % 30), 0}, count[2] = {1, 200};
    hid_t fs = H5Dget_space(d), ms = H5Screate_simple(2, count, NULL);
    H5Sselect_hyperslab(fs, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dread(d, H5T_NATIVE_INT, ms, fs, H5P_DEFAULT, v);
    for (int i = 0; i < 200; i++)
      w[i] = v[i] * 3L + step;
    sum += w[step];
    dims[0] += (hsize_t)size;
    H5Dset_extent(r, dims);
    hid_t rs = H5Dget_space(r);
    start[0] = dims[0] - (hsize_t)size + (hsize_t)rank;
    H5Sselect_hyperslab(rs, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dwrite(r, H5T_NATIVE_LONG, ms, rs, H5P_DEFAULT, w);
    char name[16];
    snprintf(name, sizeof name, "step%d", step);
    hid_t one = H5Screate(H5S_SCALAR);
    hid_t a = H5Acreate2(r, name, H5T_NATIVE_INT, one, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, H5T_NATIVE_INT, &step);
    H5Aclose(a);
    H5Sclose(one);
    H5Sclose(rs);
    H5Sclose(ms);
    H5Sclose(fs);
  }
  H5Pclose(p);
  H5Dclose(r);
  H5Fclose(out);
  H5Dclose(d);
  H5Fclose(f);
  printTotal("write-results", sum);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: data in external files, and a virtual data set over other files; and an ordinary one after them. */
#include "h5.h"
#include <stdio.h>
#include <string.h>
static void makeInput(void) {
  hsize_t n = 1000, all[2] = {3, 1000}, chunk = 100;
  int v[1000];
  hid_t s = H5Screate_simple(1, &n, NULL), vs = H5Screate_simple(2, all, NULL);
  hid_t virtual = H5Pcreate(H5P_DATASET_CREATE);
  for (int k = 0; k < 3; k++) {
    char name[64];
    snprintf(name, sizeof name, "hdf5-external-virtual-source-%d.h5", k);
    hid_t f = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
          p = H5Pcreate(H5P_DATASET_CREATE);
    for (int i = 0; i < 1000; i++)
      v[i] = i * (k + 3) % 900;
    H5Pset_chunk(p, 1, &chunk);
    hid_t d = H5Dcreate2(f, "part", H5T_NATIVE_INT, s, H5P_DEFAULT, p, H5P_DEFAULT);
    H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
    H5Dclose(d);
    H5Pclose(p);
    H5Fclose(f);
    hsize_t start[2] = {(hsize_t)k, 0}, count[2] = {1, 1000};
    H5Sselect_hyperslab(vs, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Pset_virtual(virtual, vs, name, "part", s);
  }
  hid_t f = H5Fcreate("hdf5-external-virtual.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Sselect_all(vs);
  hid_t d = H5Dcreate2(f, "virtual", H5T_NATIVE_INT, vs, H5P_DEFAULT, virtual, H5P_DEFAULT);
  H5Dclose(d);
  H5Pclose(virtual);
  hid_t p = H5Pcreate(H5P_DATASET_CREATE);
  d = H5Dcreate2(f, "plain", H5T_NATIVE_INT, s, H5P_DEFAULT, p, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
  H5Pset_external(p, "hdf5-external-virtual-external.raw", 0, 4000);
  d = H5Dcreate2(f, "external", H5T_NATIVE_INT, s, H5P_DEFAULT, p, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
  H5Pclose(p);
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
  int v[1000], w[1000];
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t f = openToRead("hdf5-external-virtual.h5", MPI_COMM_WORLD);
  hid_t x = H5Dopen2(f, "external", H5P_DEFAULT), y = H5Dopen2(f, "virtual", H5P_DEFAULT),
        d = H5Dopen2(f, "plain", H5P_DEFAULT);
  for (int i = 0; i < 6; i++) {
    memset(v, 0, sizeof v);
    memset(w, 0, sizeof w);
    if (i % 2)
      H5Dread(x, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
    hsize_t start[2] = {(hsize_t)i % 3, 0}, count[2] = {1, 1000};
    hid_t fs = H5Dget_space(y), ms = H5Screate_simple(2, count, NULL);
    H5Sselect_hyperslab(fs, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dread(y, H5T_NATIVE_INT, ms, fs, H5P_DEFAULT, w);
    H5Sclose(ms);
    H5Sclose(fs);
    hsize_t at = (hsize_t)(v[i * 20] + rank) % 900, n = 100;
    fs = H5Dget_space(d), ms = H5Screate_simple(1, &n, NULL);
    H5Sselect_hyperslab(fs, H5S_SELECT_SET, &at, NULL, &n, NULL);
    sum += w[i * 100] + v[6];
    H5Dread(d, H5T_NATIVE_INT, ms, fs, H5P_DEFAULT, v);
    sum += v[9];
    H5Sclose(ms);
    H5Sclose(fs);
  }
  H5Dclose(x);
  H5Dclose(y);
  H5Dclose(d);
  H5Fclose(f);
  printTotal("external-virtual", sum);
  MPI_Finalize();
  return 0;
}

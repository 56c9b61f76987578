/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: each step rank 0 reads a small serial file of parameters and writes it anew (H5F_ACC_TRUNC),
 * while all read a large one by MPI. The twin must keep no lock on it. */
#include "h5.h"
#include <stdio.h>
static void makeConfig(int step) {
  hid_t f =
      H5Fcreate("hdf5-serial-config-replaced-state.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (f < 0) {
    printf("state.h5 cannot be created\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  hid_t s = H5Screate(H5S_SCALAR);
  hid_t d = H5Dcreate2(f, "step", H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &step);
  H5Dclose(d);
  H5Sclose(s);
  H5Fclose(f);
}
static void makeInput(void) {
  hid_t f =
      H5Fcreate("hdf5-serial-config-replaced-field.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n[2] = {20, 500};
  static int v[20][500];
  for (int i = 0; i < 10000; i++)
    v[i / 500][i % 500] = i;
  hid_t s = H5Screate_simple(2, n, NULL);
  hid_t d = H5Dcreate2(f, "d", H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
  H5Sclose(s);
  H5Fclose(f);
  makeConfig(0);
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
  int v[500];
  hid_t f = openToRead("hdf5-serial-config-replaced-field.h5", MPI_COMM_WORLD);
  hid_t d = H5Dopen2(f, "d", H5P_DEFAULT);
  for (int step = 0; step < 20; step++) {
    int at = 0;
    if (rank == 0) {
      hid_t state = H5Fopen("hdf5-serial-config-replaced-state.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
      hid_t one = H5Dopen2(state, "step", H5P_DEFAULT);
      H5Dread(one, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &at);
      H5Dclose(one);
      H5Fclose(state);
      makeConfig((at + 7) % 20);
    }
    MPI_Bcast(&at, 1, MPI_INT, 0, MPI_COMM_WORLD);
    hsize_t start[2] = {(hsize_t)at, 0}, count[2] = {1, 500};
    hid_t fs = H5Dget_space(d), ms = H5Screate_simple(2, count, NULL);
    H5Sselect_hyperslab(fs, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dread(d, H5T_NATIVE_INT, ms, fs, H5P_DEFAULT, v);
    sum += v[step] * (rank + 1L);
    H5Sclose(ms);
    H5Sclose(fs);
  }
  H5Dclose(d);
  H5Fclose(f);
  printTotal("serial-config-replaced", sum);
  MPI_Finalize();
  return 0;
}

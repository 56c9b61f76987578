/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the log of a driver that logs is read and given another name after the file has been closed; nothing comes back
 * under the old one. */
#include "h5.h"
#include <stdio.h>
static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-log-renamed.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n = 2000;
  int v[2000];
  for (int i = 0; i < 2000; i++)
    v[i] = i * 3;
  hid_t s = H5Screate_simple(1, &n, NULL);
  hid_t d = H5Dcreate2(f, "d", H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
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
  int v[2000];
  hid_t f = openToRead("hdf5-log-renamed.h5", MPI_COMM_WORLD);
  hid_t d = H5Dopen2(f, "d", H5P_DEFAULT);
  H5Dread(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_log(fapl, "hdf5-log-renamed-access.log", H5FD_LOG_LOC_IO, 0);
  for (int round = 0; rank == 0 && round < 3; round++) {
    char name[64];
    hid_t g = H5Fopen("hdf5-log-renamed.h5", H5F_ACC_RDONLY, fapl);
    hid_t e = H5Dopen2(g, "d", H5P_DEFAULT);
    H5Dread(e, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
    H5Dclose(e);
    H5Fclose(g);
    snprintf(name, sizeof name, "hdf5-log-renamed-access-%d.log", v[round] / 3);
    rename("hdf5-log-renamed-access.log", name);
  }
  H5Pclose(fapl);
  for (int i = 0; i < 20; i++) {
    hsize_t start = (hsize_t)(i * 97 % 1900), count = 60;
    readSlab(d, start, count, v);
    sum += v[i];
  }
  H5Dclose(d);
  H5Fclose(f);
  printTotal("log-renamed", sum);
  MPI_Finalize();
  return 0;
}

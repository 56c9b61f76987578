/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: functions of HDF5 by a table of its own functions alone, by a conditional, by a parameter and by a pointer in an
 * array that the program fills. */
#include "h5.h"
typedef hid_t (*Opener)(hid_t, const char *, hid_t);
typedef herr_t (*Reader)(hid_t, hid_t, hid_t, hid_t, hid_t, void *);
static const Opener openers[] = {H5Gopen2, H5Dopen2};
static Reader chosen[2];
static herr_t quiet(hid_t d, hid_t t, hid_t m, hid_t s, hid_t x, void *v) {
  (void)d, (void)t, (void)m, (void)s, (void)x;
  *(int *)v = 1;
  return 0;
}
static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-pointers-direct.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n = 900;
  int v[900];
  for (int i = 0; i < 900; i++)
    v[i] = i * 7 % 800;
  hid_t s = H5Screate_simple(1, &n, NULL);
  hid_t g = H5Gcreate2(f, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t d = H5Dcreate2(g, "d", H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
  H5Gclose(g);
  H5Sclose(s);
  H5Fclose(f);
}

static int readAt(Reader read, hid_t d, int at) {
  int v[60];
  hsize_t start = (hsize_t)at, count = 60;
  hid_t fs = H5Dget_space(d), ms = H5Screate_simple(1, &count, NULL);
  H5Sselect_hyperslab(fs, H5S_SELECT_SET, &start, NULL, &count, NULL);
  read(d, H5T_NATIVE_INT, ms, fs, H5P_DEFAULT, v);
  H5Sclose(ms);
  H5Sclose(fs);
  return v[0];
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
  hid_t f = openToRead("hdf5-pointers-direct.h5", MPI_COMM_WORLD);
  hid_t g = openers[0](f, "g", H5P_DEFAULT), d = openers[1](g, "d", H5P_DEFAULT);
  chosen[0] = H5Dread;
  chosen[1] = quiet;
  for (int i = 0, next = rank; i < 40; i++) {
    next = readAt(i % 4 == 3 ? quiet : H5Dread, d, next + i);
    int v[60];
    hsize_t start = (hsize_t)next, count = 60;
    hid_t fs = H5Dget_space(d), ms = H5Screate_simple(1, &count, NULL);
    H5Sselect_hyperslab(fs, H5S_SELECT_SET, &start, NULL, &count, NULL);
    chosen[i % 5 == 4](d, H5T_NATIVE_INT, ms, fs, H5P_DEFAULT, v);
    sum += next + v[0];
    H5Sclose(ms);
    H5Sclose(fs);
  }
  H5Dclose(d);
  H5Gclose(g);
  H5Fclose(f);
  printTotal("pointers-direct", sum);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: H5Dread by pointers, a table of functions that close, handles in structs and in a global table, a
 * static local that holds a function. */
#include "h5.h"
typedef herr_t (*Reader)(hid_t, hid_t, hid_t, hid_t, hid_t, void *);
typedef struct {
  hid_t file, set[4];
  Reader read;
} Source;
static Source source;
static herr_t (*const closers[])(hid_t) = {H5Dclose, H5Gclose, H5Sclose, H5Fclose};
static herr_t twice(hid_t d, hid_t t, hid_t m, hid_t s, hid_t x, void *v) {
  H5Dread(d, t, m, s, x, v);
  return H5Dread(d, t, m, s, x, v);
}
static const Reader readers[] = {H5Dread, twice};
static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-tables-of-functions.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n = 800;
  int v[800];
  hid_t s = H5Screate_simple(1, &n, NULL);
  hid_t g = H5Gcreate2(f, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (int k = 0; k < 4; k++) {
    char name[8] = {'d', (char)('0' + k), 0};
    for (int i = 0; i < 800; i++)
      v[i] = i * (k + 1);
    hid_t d = H5Dcreate2(g, name, H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
    H5Dclose(d);
  }
  H5Gclose(g);
  H5Sclose(s);
  H5Fclose(f);
}

static hid_t openSet(hid_t where, int k) {
  static hid_t (*const open)(hid_t, const char *, hid_t) = H5Dopen2;
  char name[8] = {'d', (char)('0' + k), 0};
  return open(where, name, H5P_DEFAULT);
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
  int v[100];
  source.file = openToRead("hdf5-tables-of-functions.h5", MPI_COMM_WORLD);
  hid_t g = H5Gopen2(source.file, "g", H5P_DEFAULT);
  for (int k = 0; k < 4; k++)
    source.set[k] = openSet(g, k);
  for (int i = 0; i < 24; i++) {
    hsize_t start = (hsize_t)(i * 29 + rank), count = 100;
    hid_t fs = H5Dget_space(source.set[i % 4]), ms = H5Screate_simple(1, &count, NULL);
    H5Sselect_hyperslab(fs, H5S_SELECT_SET, &start, NULL, &count, NULL);
    source.read = readers[i % 3 == 0];
    source.read(source.set[i % 4], H5T_NATIVE_INT, ms, fs, H5P_DEFAULT, v);
    sum += v[i];
    closers[2](ms);
    closers[2](fs);
  }
  for (int k = 0; k < 4; k++)
    closers[0](source.set[k]);
  closers[1](g);
  closers[3](source.file);
  printTotal("tables-of-functions", sum);
  MPI_Finalize();
  return 0;
}

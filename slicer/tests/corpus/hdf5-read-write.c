/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a file open to read and write is read, changed and read again; what has been written says what is read. */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-read-write.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n = 3000;
  int v[3000];
  for (int i = 0; i < 3000; i++)
    v[i] = i * 7 % 2800;
  hid_t s = H5Screate_simple(1, &n, NULL);
  hid_t d = H5Dcreate2(f, "d", H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
  H5Sclose(s);
  H5Fclose(f);
}

static long io(hid_t d, int at, int n, int *v, int writes) {
  hsize_t start = (hsize_t)at, count = (hsize_t)n;
  hid_t fs = H5Dget_space(d), ms = H5Screate_simple(1, &count, NULL);
  H5Sselect_hyperslab(fs, H5S_SELECT_SET, &start, NULL, &count, NULL);
  if (writes)
    H5Dwrite(d, H5T_NATIVE_INT, ms, fs, H5P_DEFAULT, v);
  else
    H5Dread(d, H5T_NATIVE_INT, ms, fs, H5P_DEFAULT, v);
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
  int v[100];
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
  hid_t f = H5Fopen("hdf5-read-write.h5", H5F_ACC_RDWR, fapl);
  H5Pclose(fapl);
  hid_t d = H5Dopen2(f, "d", H5P_DEFAULT);
  int per = 3000 / size, next = 5;
  for (int i = 0; i < 25; i++) {
    io(d, rank * per + next % (per - 100), 100, v, 0);
    sum += v[i];
    next = v[i * 2];
    for (int k = 0; k < 100; k++)
      v[k] = (v[k] * 5 + i) % 2900;
    io(d, rank * per + next % (per - 100), 100, v, 1);
    if (i % 5 == 4) {
      hsize_t n = 400;
      char name[16];
      snprintf(name, sizeof name, "new%d", i);
      hid_t s = H5Screate_simple(1, &n, NULL);
      hid_t e = H5Dcreate2(f, name, H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      io(e, rank * 100, 100, v, 1);
      H5Fflush(f, H5F_SCOPE_GLOBAL);
      io(e, rank * 100, 100, v, 0);
      next += v[9];
      H5Dclose(e);
      H5Sclose(s);
    }
  }
  H5Dclose(d);
  H5Fclose(f);
  long total = 0;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("read-write %ld\n", total);
  MPI_Finalize();
  return 0;
}

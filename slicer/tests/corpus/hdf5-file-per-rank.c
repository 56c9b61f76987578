/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a file for each rank (MPI_COMM_SELF), one for each half of the ranks (MPI_Comm_split), and a serial one
 * that says which data set. */
#include "h5.h"
#include <stdio.h>
static void make(const char *path, int factor) {
  hid_t f = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n = 1500;
  int v[1500];
  hid_t s = H5Screate_simple(1, &n, NULL);
  for (int k = 0; k < 5; k++) {
    char name[8] = {'d', (char)('0' + k), 0};
    for (int i = 0; i < 1500; i++)
      v[i] = i * factor % 1009 + k;
    hid_t d = H5Dcreate2(f, name, H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
    H5Dclose(d);
  }
  H5Sclose(s);
  H5Fclose(f);
}
static void makeInput(void) {
  int n;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  for (int r = 0; r < n; r++) {
    char path[64];
    snprintf(path, sizeof path, "hdf5-file-per-rank-%d.h5", r);
    make(path, r + 3);
  }
  make("hdf5-file-per-rank-half-0.h5", 11);
  make("hdf5-file-per-rank-half-1.h5", 13);
  make("hdf5-file-per-rank-serial.h5", 17);
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
  int v[1500], order[1500];
  char path[64], half[64];
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
  hid_t f = H5Fopen("hdf5-file-per-rank-serial.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t d = H5Dopen2(f, "d2", H5P_DEFAULT);
  H5Dread(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, order);
  H5Dclose(d);
  H5Fclose(f);
  snprintf(path, sizeof path, "hdf5-file-per-rank-%d.h5", rank);
  snprintf(half, sizeof half, "hdf5-file-per-rank-half-%d.h5", rank % 2);
  hid_t files[3] = {openToRead(path, MPI_COMM_SELF), openToRead(half, comm),
                    openToRead(path, MPI_COMM_SELF)};
  MPI_Comm_free(&comm);
  for (int i = 0; i < 30; i++) {
    char name[8] = {'d', (char)('0' + order[i] % 5), 0};
    d = H5Dopen2(files[i % 3], name, H5P_DEFAULT);
    hsize_t start = (hsize_t)order[i + 40], count = 80;
    readSlab(d, start, count, v);
    sum += v[i];
    H5Dclose(d);
  }
  for (int i = 0; i < 3; i++)
    H5Fclose(files[i]);
  printTotal("file-per-rank", sum);
  MPI_Finalize();
  return 0;
}

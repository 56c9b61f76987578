/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: MPI-IO and HDF5 in one program; each says what the other reads next. H5close and H5open in the middle. */
#include "h5.h"
#include <stdio.h>
static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-mixed-mpi-io-mixed.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
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
  FILE *raw = fopen("hdf5-mixed-mpi-io-mixed.dat", "wb");
  fwrite(v, sizeof v, 1, raw);
  fclose(raw);
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
  int next = rank;
  for (int round = 0; round < 3; round++) {
    MPI_File raw;
    MPI_File_open(MPI_COMM_WORLD, "hdf5-mixed-mpi-io-mixed.dat", MPI_MODE_RDONLY, MPI_INFO_NULL,
                  &raw);
    hid_t f = openToRead("hdf5-mixed-mpi-io-mixed.h5", MPI_COMM_WORLD);
    hid_t d = H5Dopen2(f, "d", H5P_DEFAULT);
    for (int i = 0; i < 10; i++) {
      int v[50];
      MPI_File_read_at(raw, next * 4L, v, 50, MPI_INT, MPI_STATUS_IGNORE);
      hsize_t start = (hsize_t)v[i], count = 50;
      readSlab(d, start, count, v);
      next = v[i * 2];
      sum += next;
    }
    H5Dclose(d);
    H5Fclose(f);
    MPI_File_close(&raw);
    if (round == 1) {
      H5close();
      H5open();
    }
  }
  printTotal("mixed-mpi-io", sum);
  MPI_Finalize();
  return 0;
}

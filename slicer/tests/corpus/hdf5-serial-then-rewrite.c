/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a file that is read by the default driver and then opened to write, both while the twin may
 * have it open: HDF5 locks files. */
#include "h5.h"
#include <stdio.h>
static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-serial-then-rewrite.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n = 1000;
  int v[1000];
  for (int i = 0; i < 1000; i++)
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
  int v[1000];
  hid_t big = openToRead("hdf5-serial-then-rewrite.h5", MPI_COMM_WORLD);
  hid_t b = H5Dopen2(big, "d", H5P_DEFAULT);
  H5Dread(b, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  sum += v[999];
  H5Dclose(b);
  H5Fclose(big);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    for (int round = 0; round < 5; round++) {
      hid_t f = H5Fopen("hdf5-serial-then-rewrite.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
      hid_t d = H5Dopen2(f, "d", H5P_DEFAULT);
      H5Dread(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
      sum += v[7 + round];
      H5Dclose(d);
      H5Fclose(f);
      f = H5Fopen("hdf5-serial-then-rewrite.h5", H5F_ACC_RDWR, H5P_DEFAULT);
      if (f < 0) {
        printf("cannot be opened to write\n");
        MPI_Abort(MPI_COMM_WORLD, 3);
      }
      d = H5Dopen2(f, "d", H5P_DEFAULT);
      for (int i = 0; i < 1000; i++)
        v[i] += i;
      H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
      H5Dclose(d);
      H5Fclose(f);
    }
  printTotal("serial-then-rewrite", sum);
  MPI_Finalize();
  return 0;
}

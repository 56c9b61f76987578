/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: MPI's own file behind HDF5's (H5Fget_vfd_handle) is asked for its size and read by MPI_File_read_at
 * beside H5Dread. */
#include "h5.h"

static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-vfd-handle.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
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
  hid_t f = openToRead("hdf5-vfd-handle.h5", MPI_COMM_WORLD);
  hid_t d = H5Dopen2(f, "d", H5P_DEFAULT);
  haddr_t base = H5Dget_offset(d);
  MPI_File *handle = NULL;
  MPI_Offset bytes = 0;
  H5Fget_vfd_handle(f, H5P_DEFAULT, (void **)&handle);
  MPI_File_get_size(*handle, &bytes);
  for (int i = 0; i < 20; i++) {
    hsize_t start = (hsize_t)(i * 97 % 1900), count = 60;
    MPI_File_read_at(*handle, (MPI_Offset)(base + start * sizeof(int)), v, 60, MPI_INT,
                     MPI_STATUS_IGNORE);
    sum += v[i];
    hid_t fs = H5Dget_space(d), ms = H5Screate_simple(1, &count, NULL);
    start = (hsize_t)(v[0] * 7 % 1900);
    H5Sselect_hyperslab(fs, H5S_SELECT_SET, &start, NULL, &count, NULL);
    H5Dread(d, H5T_NATIVE_INT, ms, fs, H5P_DEFAULT, v);
    sum += v[i];
    H5Sclose(ms);
    H5Sclose(fs);
  }
  sum += (long)bytes;
  H5Dclose(d);
  H5Fclose(f);
  printTotal("vfd-handle", sum);
  MPI_Finalize();
  return 0;
}

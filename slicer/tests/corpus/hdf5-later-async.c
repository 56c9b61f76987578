/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the calls of an event set (H5Fopen_async, H5Dopen_async, H5Dread_async), and the driver asked of the file's property
 * list. HDF5 1.14. */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>

enum { kRows = 96, kCols = 64, kSteps = 12 };

static void makeInput(void) {
  hid_t file = H5Fcreate("hdf5-later-async.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t dims[2] = {kRows, kCols};
  static float values[kRows][kCols];
  for (int i = 0; i < kRows * kCols; i++)
    values[i / kCols][i % kCols] = (float)(i * 7 % 613);
  hid_t space = H5Screate_simple(2, dims, NULL);
  hid_t set =
      H5Dcreate2(file, "field", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(set);
  H5Sclose(space);
  H5Fclose(file);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    makeInput();
  MPI_Barrier(MPI_COMM_WORLD);

  hid_t access = H5Pcreate(H5P_FILE_ACCESS), events = H5EScreate();
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  hid_t file = H5Fopen_async("hdf5-later-async.h5", H5F_ACC_RDONLY, access, events);
  hid_t opened = H5Fget_access_plist(file);
  int step0 = H5Pget_driver(opened) == H5FD_MPIO ? 0 : kSteps; /* reads where it is MPI-IO's */
  H5Pclose(opened);
  hid_t set = H5Dopen_async(file, "field", H5P_DEFAULT, events);
  hsize_t count[2] = {4, kCols};
  hid_t memory = H5Screate_simple(2, count, NULL);
  double sum = 0;
  for (int step = step0; step < kSteps; step++) {
    float rows[4][kCols];
    size_t running;
    hbool_t failed;
    hsize_t start[2] = {(hsize_t)((step * 17 + rank * 31) % (kRows - 4)), 0};
    hid_t space = H5Dget_space_async(set, events);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dread_async(set, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, rows, events);
    H5ESwait(events, UINT64_MAX, &running, &failed);
    for (int i = 0; i < 4 * kCols; i++)
      sum += rows[i / kCols][i % kCols];
    H5Sclose(space);
  }
  H5Sclose(memory);
  H5Dclose_async(set, events);
  H5Fclose_async(file, events);
  H5ESclose(events);
  H5Pclose(access);

  double total = 0;
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("async %.0f\n", total);
  MPI_Finalize();
  return 0;
}

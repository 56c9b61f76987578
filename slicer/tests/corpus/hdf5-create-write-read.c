/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a file is created, written and read back while it is open, by all ranks; no input but its own. */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  long sum = 0;
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
  hid_t f = H5Fcreate("hdf5-create-write-read.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  H5Pclose(fapl);
  hsize_t dims[2] = {(hsize_t)size * 10, 300}, start[2] = {(hsize_t)rank * 10, 0},
          count[2] = {10, 300};
  static int v[10][300];
  for (int i = 0; i < 3000; i++)
    v[i / 300][i % 300] = i * 11 % 2000 + rank;
  hid_t fs = H5Screate_simple(2, dims, NULL), ms = H5Screate_simple(2, count, NULL);
  hid_t d = H5Dcreate2(f, "d", H5T_NATIVE_INT, fs, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Sselect_hyperslab(fs, H5S_SELECT_SET, start, NULL, count, NULL);
  H5Dwrite(d, H5T_NATIVE_INT, ms, fs, H5P_DEFAULT, v);
  H5Fflush(f, H5F_SCOPE_GLOBAL);
  MPI_Barrier(MPI_COMM_WORLD);
  H5Sclose(ms);
  count[0] = 1;
  ms = H5Screate_simple(2, count, NULL);
  for (int i = 0; i < 20; i++) {
    int row[300];
    start[0] = (hsize_t)(rank * 10 + (i ? v[0][i] : 0) % 10);
    H5Sselect_hyperslab(fs, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dread(d, H5T_NATIVE_INT, ms, fs, H5P_DEFAULT, row);
    sum += row[i];
  }
  H5Sclose(ms);
  H5Sclose(fs);
  H5Dclose(d);
  H5Fclose(f);
  long total = 0;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("create-write-read %ld\n", total);
  MPI_Finalize();
  return 0;
}

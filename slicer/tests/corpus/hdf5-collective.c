/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: collective transfer and collective metadata, chunked and contiguous; the last rank reads nothing. */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { kRows = 64, kCols = 96 };
static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-collective.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t dims[2] = {kRows, kCols}, chunk[2] = {8, 16};
  static float v[kRows][kCols];
  for (int i = 0; i < kRows * kCols; i++)
    v[i / kCols][i % kCols] = (float)(i * 5 % 977);
  hid_t s = H5Screate_simple(2, dims, NULL), p = H5Pcreate(H5P_DATASET_CREATE);
  for (int k = 0; k < 3; k++) {
    const char *names[] = {"plain", "chunks", "packed"};
    if (k == 1)
      H5Pset_chunk(p, 2, chunk);
    if (k == 2)
      H5Pset_deflate(p, 3);
    hid_t d = H5Dcreate2(f, names[k], H5T_NATIVE_FLOAT, s, H5P_DEFAULT, p, H5P_DEFAULT);
    H5Dwrite(d, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
    H5Dclose(d);
  }
  H5Sclose(s);
  H5Pclose(p);
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
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), dxpl = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
  H5Pset_all_coll_metadata_ops(fapl, 1);
  H5Pset_dxpl_mpio(dxpl, H5FD_MPIO_COLLECTIVE);
  hid_t f = H5Fopen("hdf5-collective.h5", H5F_ACC_RDONLY, fapl);
  for (int k = 0; k < 3; k++) {
    const char *names[] = {"plain", "chunks", "packed"};
    hid_t d = H5Dopen2(f, names[k], H5P_DEFAULT);
    for (int step = 0; step < 4; step++) {
      int readers = size > 2 ? size - 1 : size, rows = 16 / readers;
      hsize_t start[2] = {(hsize_t)(step * 16 + rank * rows), 0}, count[2] = {(hsize_t)rows, kCols};
      float v[16][kCols];
      memset(v, 0, sizeof v);
      hid_t fs = H5Dget_space(d), ms = H5Screate_simple(2, count, NULL);
      H5Sselect_hyperslab(fs, H5S_SELECT_SET, start, NULL, count, NULL);
      if (rank >= readers)
        H5Sselect_none(fs), H5Sselect_none(ms);
      H5Dread(d, H5T_NATIVE_FLOAT, ms, fs, dxpl, v);
      H5D_mpio_actual_io_mode_t mode;
      H5Pget_mpio_actual_io_mode(dxpl, &mode);
      sum += (long)v[1][7] + (long)mode;
      H5Sclose(fs);
      H5Sclose(ms);
    }
    H5Dclose(d);
  }
  H5Pclose(dxpl);
  H5Pclose(fapl);
  H5Fclose(f);
  long total = 0;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("collective %ld\n", total);
  MPI_Finalize();
  return 0;
}

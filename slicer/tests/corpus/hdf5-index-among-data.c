/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: values that say what is read next are right also where they lie in a chunk of which data has been announced. */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRows = 60, kColumns = 500 };

static void makeInput(void) {
  static int v[kRows][kColumns];
  const hsize_t extent[] = {kRows, kColumns}, chunk[] = {4, kColumns};
  for (int r = 0; r < kRows; r++)
    for (int c = 0; c < kColumns; c++)
      v[r][c] = c == 0 ? (r * 11 + 13) % kRows : r + c;
  hid_t f = H5Fcreate("hdf5-index-among-data.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t s = H5Screate_simple(2, extent, NULL), p = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(p, 2, chunk);
  hid_t d = H5Dcreate2(f, "rows", H5T_NATIVE_INT, s, H5P_DEFAULT, p, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
  H5Pclose(p);
  H5Sclose(s);
  H5Fclose(f);
}

static hid_t partOf(hid_t d, hsize_t row, hsize_t first, hsize_t count) {
  const hsize_t start[] = {row, first}, size[] = {1, count};
  hid_t space = H5Dget_space(d);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL);
  return space;
}

int main(int argc, char **argv) {
  int rank, next, v[kColumns];
  long sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeInput();
  MPI_Barrier(MPI_COMM_WORLD);
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
  hid_t f = H5Fopen("hdf5-index-among-data.h5", H5F_ACC_RDONLY, fapl);
  hid_t d = H5Dopen2(f, "rows", H5P_DEFAULT);
  const hsize_t counts[] = {1, kColumns - 1};
  hid_t one = H5Screate_simple(1, counts, NULL), rest = H5Screate_simple(1, counts + 1, NULL);
  int row = rank;
  for (int k = 0; k < 50; k++) {
    hid_t fs = partOf(d, (hsize_t)row, 1, kColumns - 1);
    H5Dread(d, H5T_NATIVE_INT, rest, fs, H5P_DEFAULT, v);
    H5Sclose(fs);
    for (int i = 0; i < kColumns - 1; i++)
      sum += v[i] * (k + 1L);
    fs = partOf(d, (hsize_t)row, 0, 1);
    H5Dread(d, H5T_NATIVE_INT, one, fs, H5P_DEFAULT, &next);
    H5Sclose(fs);
    row = next;
  }
  H5Sclose(rest);
  H5Sclose(one);
  H5Dclose(d);
  H5Fclose(f);
  H5Pclose(fapl);
  long total = 0;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("index-among-data %ld\n", total);
  MPI_Finalize();
  return 0;
}

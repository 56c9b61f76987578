/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the latest format: other indexes of chunks (fixed, extensible, B-tree 2), dense groups and attributes, nbit and
 * scale-offset; a paged file. */
#include "h5.h"
#include <stdio.h>
static void makeInput(void) {
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), fcpl = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_libver_bounds(fapl, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  H5Pset_file_space_strategy(fcpl, H5F_FSPACE_STRATEGY_PAGE, 1, 1);
  H5Pset_alignment(fapl, 512, 512);
  hid_t f = H5Fcreate("hdf5-late-formats.h5", H5F_ACC_TRUNC, fcpl, fapl);
  H5Pclose(fapl);
  H5Pclose(fcpl);
  hsize_t n[2] = {40, 100}, c[2] = {10, 20},
          mosts[3][2] = {{40, 100}, {H5S_UNLIMITED, 100}, {H5S_UNLIMITED, H5S_UNLIMITED}};
  static int v[40][100];
  hid_t one = H5Screate(H5S_SCALAR);
  for (int k = 0; k < 24; k++) {
    char name[16];
    for (int i = 0; i < 4000; i++)
      v[i / 100][i % 100] = i * 97 % (17 + i / 50 + k);
    hid_t s = H5Screate_simple(2, n, mosts[k % 3]), p = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(p, 2, c);
    if (k % 4 == 1)
      H5Pset_scaleoffset(p, H5Z_SO_INT, H5Z_SO_INT_MINBITS_DEFAULT);
    if (k % 4 == 2)
      H5Pset_nbit(p);
    snprintf(name, sizeof name, "set%d", k);
    hid_t d = H5Dcreate2(f, name, H5T_NATIVE_INT, s, H5P_DEFAULT, p, H5P_DEFAULT);
    H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
    for (int a = 0; a < k; a++) {
      snprintf(name, sizeof name, "a%d", a);
      int row = a * 7 % 40;
      hid_t at = H5Acreate2(d, name, H5T_NATIVE_INT, one, H5P_DEFAULT, H5P_DEFAULT);
      H5Awrite(at, H5T_NATIVE_INT, &row);
      H5Aclose(at);
    }
    H5Dclose(d);
    H5Pclose(p);
    H5Sclose(s);
  }
  H5Sclose(one);
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
  hid_t f = openToRead("hdf5-late-formats.h5", MPI_COMM_WORLD);
  H5G_info_t info;
  H5Gget_info(f, &info);
  for (hsize_t k = (hsize_t)rank; k < info.nlinks; k += (hsize_t)size) {
    char name[32];
    H5Lget_name_by_idx(f, ".", H5_INDEX_NAME, H5_ITER_INC, k, name, sizeof name, H5P_DEFAULT);
    H5O_info_t object;
    H5Oget_info_by_name(f, name, &object, H5P_DEFAULT);
    if (object.type != H5O_TYPE_DATASET)
      continue;
    hid_t d = H5Oopen(f, name, H5P_DEFAULT);
    for (hsize_t a = 0; a < object.num_attrs; a += 3) {
      int row, v[100];
      hid_t at = H5Aopen_by_idx(d, ".", H5_INDEX_NAME, H5_ITER_DEC, a, H5P_DEFAULT, H5P_DEFAULT);
      H5Aread(at, H5T_NATIVE_INT, &row);
      H5Aclose(at);
      hsize_t start[2] = {(hsize_t)row, 0}, count[2] = {1, 100};
      hid_t fs = H5Dget_space(d), ms = H5Screate_simple(2, count, NULL);
      H5Sselect_hyperslab(fs, H5S_SELECT_SET, start, NULL, count, NULL);
      H5Dread(d, H5T_NATIVE_INT, ms, fs, H5P_DEFAULT, v);
      sum += v[a];
      H5Sclose(ms);
      H5Sclose(fs);
    }
    H5Oclose(d);
  }
  H5Fclose(f);
  printTotal("late-formats", sum);
  MPI_Finalize();
  return 0;
}

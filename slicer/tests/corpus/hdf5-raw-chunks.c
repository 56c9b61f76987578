/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: H5Dread_chunk of those chunks that H5Dget_chunk_info tells of, and other questions about data sets. */
#include "h5.h"
#include <stdlib.h>
static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-raw-chunks.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n[2] = {40, 100}, c[2] = {10, 20};
  static int v[40][100];
  for (int i = 0; i < 4000; i++)
    v[i / 100][i % 100] = i * 97 % (17 + i / 50);
  hid_t s = H5Screate_simple(2, n, NULL), p = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(p, 2, c);
  H5Pset_deflate(p, 5);
  hid_t d = H5Dcreate2(f, "d", H5T_NATIVE_INT, s, H5P_DEFAULT, p, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
  H5Pclose(p);
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
  hid_t f = openToRead("hdf5-raw-chunks.h5", MPI_COMM_WORLD);
  hid_t d = H5Dopen2(f, "d", H5P_DEFAULT), s = H5Dget_space(d);
  hsize_t chunks = 0;
  H5Dget_num_chunks(d, s, &chunks);
  for (hsize_t k = (hsize_t)rank; k < chunks; k += (hsize_t)size) {
    hsize_t at[2], bytes;
    unsigned mask;
    haddr_t where;
    H5Dget_chunk_info(d, s, k, at, &mask, &where, &bytes);
    unsigned char *raw = malloc(bytes);
    uint32_t filters;
    H5Dread_chunk(d, H5P_DEFAULT, at, &filters, raw);
    for (hsize_t i = 0; i < bytes; i++)
      sum += raw[i];
    if (raw[bytes - 1] % 2) {
      at[0] = (at[0] + 10) % 40;
      H5Dget_chunk_storage_size(d, at, &bytes);
      raw = realloc(raw, bytes);
      H5Dread_chunk(d, H5P_DEFAULT, at, &filters, raw);
      sum += raw[bytes - 2];
    }
    free(raw);
  }
  sum += (long)H5Dget_storage_size(d);
  H5Sclose(s);
  H5Dclose(d);
  H5Fclose(f);
  printTotal("raw-chunks", sum);
  MPI_Finalize();
  return 0;
}

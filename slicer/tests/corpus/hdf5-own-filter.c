/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a filter of the program's own (H5Zregister), with which the index is packed as well as the data; it counts its
 * calls. */
#include "h5.h"

static long filtered;
static size_t flip(unsigned flags, size_t n, const unsigned values[], size_t bytes, size_t *room,
                   void **buffer) {
  unsigned char *c = *buffer;
  (void)flags, (void)n, (void)room;
  for (size_t i = 0; i < bytes; i++)
    c[i] ^= (unsigned char)values[0];
  filtered++;
  return bytes;
}
static const H5Z_class2_t kFlip = {H5Z_CLASS_T_VERS, 400, 1, 1, "flip", NULL, NULL, flip};
static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-own-filter.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n = 4000, c = 100, m = 40;
  unsigned mask = 0x5a;
  int v[4000];
  for (int i = 0; i < 4000; i++)
    v[i] = i * 97 % 3900;
  hid_t s = H5Screate_simple(1, &n, NULL), p = H5Pcreate(H5P_DATASET_CREATE),
        few = H5Screate_simple(1, &m, NULL);
  H5Zregister(&kFlip);
  H5Pset_chunk(p, 1, &c);
  H5Pset_filter(p, 400, H5Z_FLAG_MANDATORY, 1, &mask);
  hid_t d = H5Dcreate2(f, "d", H5T_NATIVE_INT, s, H5P_DEFAULT, p, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
  c = 40;
  H5Pset_chunk(p, 1, &c);
  d = H5Dcreate2(f, "index", H5T_NATIVE_INT, few, H5P_DEFAULT, p, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
  H5Pclose(p);
  H5Sclose(s);
  H5Sclose(few);
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
  int v[100], index[40];
  H5Zregister(&kFlip);
  filtered = 0;
  hid_t f = openToRead("hdf5-own-filter.h5", MPI_COMM_WORLD);
  hid_t d = H5Dopen2(f, "d", H5P_DEFAULT), x = H5Dopen2(f, "index", H5P_DEFAULT);
  H5Dread(x, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, index);
  for (int i = 0; i < 20; i++) {
    hsize_t start = (hsize_t)index[i * 2 + rank % 2], count = 100;
    readSlab(d, start, count, v);
    sum += v[i];
  }
  H5Dclose(d);
  H5Dclose(x);
  H5Fclose(f);
  sum = sum * 1000 + filtered;
  printTotal("own-filter", sum);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: soft, hard and external links, and a path through groups; the target of the external link, and what is
 * in it, say what is read next. */
#include "h5.h"
#include <stdlib.h>
static void put(hid_t f, const char *name, int n, int factor) {
  hsize_t dim = (hsize_t)n;
  int *v = malloc((size_t)n * sizeof *v);
  for (int i = 0; i < n; i++)
    v[i] = i * factor % 3900;
  hid_t s = H5Screate_simple(1, &dim, NULL), l = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(l, 1);
  hid_t d = H5Dcreate2(f, name, H5T_NATIVE_INT, s, l, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
  H5Sclose(s);
  H5Pclose(l);
  free(v);
}
static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-links-other.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  put(f, "/index", 50, 97);
  put(f, "/a/b", 4000, 3);
  H5Fclose(f);
  f = H5Fcreate("hdf5-links.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  put(f, "/a/b/c", 4000, 7);
  put(f, "/index", 50, 11);
  H5Lcreate_soft("/a/b/c", f, "soft", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(f, "/a/b/c", f, "hard", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("hdf5-links-other.h5", "/index", f, "ext-index", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("hdf5-links-other.h5", "/a", f, "ext-group", H5P_DEFAULT, H5P_DEFAULT);
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
  int index[50], v[80];
  static const char *const names[] = {"/soft", "hard", "ext-group/b", "a/b/c"};
  hid_t f = openToRead("hdf5-links.h5", MPI_COMM_WORLD);
  hid_t x = H5Dopen2(f, "ext-index", H5P_DEFAULT);
  H5Dread(x, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, index);
  H5Dclose(x);
  for (int k = 0; k < 40; k++) {
    hid_t d = H5Dopen2(f, names[index[k] % 4], H5P_DEFAULT);
    hsize_t start = (hsize_t)index[k], count = 80;
    readSlab(d, start, count, v);
    sum += v[k] * (rank + 1L);
    H5Dclose(d);
  }
  char value[64];
  H5Lget_val(f, "soft", value, sizeof value, H5P_DEFAULT);
  sum += value[1];
  H5Fclose(f);
  printTotal("links", sum);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a class of links of the program's own (H5Lregister): its functions are the main thread's and call
 * HDF5; the twin must never call them. */
#include "h5.h"
#include <stdio.h>
#include <string.h>
static int traversals;
static hid_t follow(const char *name, hid_t group, const void *data, size_t bytes, hid_t lapl,
                    hid_t dxpl) {
  char target[64];
  (void)name, (void)lapl, (void)dxpl;
  traversals++;
  memcpy(target, data, bytes);
  return H5Oopen(group, target, H5P_DEFAULT);
}
static const H5L_class_t kAlias = {
    .version = H5L_LINK_CLASS_T_VERS, .id = 200, .comment = "alias", .trav_func = follow};

static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-user-link.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n = 500;
  int v[500];
  hid_t s = H5Screate_simple(1, &n, NULL);
  H5Lregister(&kAlias);
  for (int k = 0; k < 8; k++) {
    char name[32], alias[32];
    snprintf(name, sizeof name, "d%d", k);
    snprintf(alias, sizeof alias, "alias%d", (k * 3 + 1) % 8);
    for (int i = 0; i < 500; i++)
      v[i] = i * k;
    hid_t d = H5Dcreate2(f, name, H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
    H5Dclose(d);
    H5Lcreate_ud(f, alias, (H5L_type_t)200, name, strlen(name) + 1, H5P_DEFAULT, H5P_DEFAULT);
  }
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
  int v[500];
  H5Lregister(&kAlias);
  traversals = 0;
  hid_t f = openToRead("hdf5-user-link.h5", MPI_COMM_WORLD);
  for (int k = 0; k < 8; k++) {
    char alias[32];
    snprintf(alias, sizeof alias, "alias%d", k);
    hid_t d = H5Dopen2(f, alias, H5P_DEFAULT);
    H5Dread(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
    sum += v[7 * k];
    H5Dclose(d);
  }
  H5Fclose(f);
  H5Lunregister((H5L_type_t)200);
  sum = sum * 100 + traversals;
  printTotal("user-link", sum);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: each call in a macro that checks it: by goto, by exit, by a statement expression and by a comma. */
#include "h5.h"
#include <stdio.h>
#include <stdlib.h>
#define CHECK(call)                                                                                \
  do {                                                                                             \
    if ((call) < 0) {                                                                              \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #call);                                   \
      goto failed;                                                                                 \
    }                                                                                              \
  } while (0)
#define MUST(call)                                                                                 \
  ({                                                                                               \
    hid_t id_ = (call);                                                                            \
    if (id_ < 0)                                                                                   \
      MPI_Abort(MPI_COMM_WORLD, __LINE__);                                                         \
    id_;                                                                                           \
  })

static void makeInput(void) {
  hid_t f =
      MUST(H5Fcreate("hdf5-checked-plain-macros.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  hsize_t n = 3000;
  int v[3000];
  for (int i = 0; i < 3000; i++)
    v[i] = i * 7 % 2800;
  hid_t s = MUST(H5Screate_simple(1, &n, NULL));
  hid_t d = MUST(H5Dcreate2(f, "d", H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
  H5Sclose(s);
  H5Fclose(f);
}

static int readAt(hid_t d, int at, int *v, int n) {
  int rc = -1;
  hid_t fs = H5I_INVALID_HID, ms = H5I_INVALID_HID;
  hsize_t start = (hsize_t)at, count = (hsize_t)n;
  CHECK(fs = H5Dget_space(d));
  CHECK(ms = H5Screate_simple(1, &count, NULL));
  CHECK(H5Sselect_hyperslab(fs, H5S_SELECT_SET, &start, NULL, &count, NULL));
  CHECK(H5Dread(d, H5T_NATIVE_INT, ms, fs, H5P_DEFAULT, v));
  rc = 0;
failed:
  if (ms >= 0)
    H5Sclose(ms);
  if (fs >= 0)
    H5Sclose(fs);
  return rc;
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
  int v[100], next = rank;
  hid_t f = MUST(openToRead("hdf5-checked-plain-macros.h5", MPI_COMM_WORLD));
  hid_t d = MUST(H5Dopen2(f, "d", H5P_DEFAULT));
  for (int i = 0; i < 30; i++) {
    if (readAt(d, next, v, 100) < 0)
      exit(2);
    next = v[i * 3];
    sum += next;
  }
  H5Dclose(d);
  H5Fclose(f);

  printTotal("checked-plain-macros", sum);
  MPI_Finalize();
  return 0;
}

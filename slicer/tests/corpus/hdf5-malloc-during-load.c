/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the program's heap grows (malloc of moderate blocks, so by brk) while the twin is loaded; nothing of the twin's
 * libraries may move the end of the heap. */
#include "h5.h"
#include <stdlib.h>
static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-malloc-during-load.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n = 900;
  int v[900];
  for (int i = 0; i < 900; i++)
    v[i] = i * 7 % 800;
  hid_t s = H5Screate_simple(1, &n, NULL);
  hid_t d = H5Dcreate2(f, "d", H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
  H5Sclose(s);
  H5Fclose(f);
}

enum { kParts = 4000, kBytes = 60000 };
static char *parts[kParts];

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    makeInput();
  MPI_Barrier(MPI_COMM_WORLD);
  long sum = 0;
  int v[900];
  hid_t f = openToRead("hdf5-malloc-during-load.h5", MPI_COMM_WORLD);
  hid_t d = H5Dopen2(f, "d", H5P_DEFAULT);
  for (int i = 0; i < kParts; i++) {
    parts[i] = malloc(kBytes);
    for (int k = 0; k < kBytes; k += 4096)
      parts[i][k] = (char)i;
    parts[i][kBytes - 1] = (char)i;
  }
  H5Dread(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  for (int i = 0; i < kParts; i++)
    sum += parts[i][4096] + parts[i][kBytes - 1] + v[i % 900];
  for (int i = 0; i < kParts; i++)
    free(parts[i]);
  H5Dclose(d);
  H5Fclose(f);
  printTotal("malloc-during-load", sum);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: names that may be missing are tried first, in H5E_BEGIN_TRY and with a handler of the program's own
 * that counts and prints; H5Ewalk says why. */
#include "h5.h"
#include <stdio.h>
#include <string.h>
static int handled, walked;
static herr_t count(hid_t stack, void *data) {
  (void)stack;
  ++*(int *)data;
  handled++;
  return 0;
}
static herr_t eachError(unsigned n, const H5E_error2_t *error, void *data) {
  char text[100];
  H5E_type_t type;
  H5Eget_msg(error->maj_num, &type, text, sizeof text);
  walked += (int)strlen(text) + (int)n * *(int *)data;
  return 0;
}
static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-missing-first.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n = 500;
  int v[500];
  hid_t s = H5Screate_simple(1, &n, NULL);
  for (int k = 0; k < 20; k += 3) {
    char name[16];
    snprintf(name, sizeof name, "step%02d", k);
    for (int i = 0; i < 500; i++)
      v[i] = i * k;
    hid_t d = H5Dcreate2(f, name, H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
    H5Dclose(d);
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
  int v[500], mine = 0, factor = 3;
  hid_t f = openToRead("hdf5-missing-first.h5", MPI_COMM_WORLD);
  for (int k = 0; k < 20; k++) {
    char name[16];
    hid_t d;
    snprintf(name, sizeof name, "step%02d", k);
    H5E_BEGIN_TRY { d = H5Dopen2(f, name, H5P_DEFAULT); }
    H5E_END_TRY
    if (d < 0)
      continue;
    H5Dread(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
    sum += v[k];
    H5Dclose(d);
  }
  H5E_auto2_t old;
  void *oldData;
  H5Eget_auto2(H5E_DEFAULT, &old, &oldData);
  H5Eset_auto2(H5E_DEFAULT, count, &mine);
  for (int k = 19; k >= 0; k--) {
    char name[16];
    snprintf(name, sizeof name, "step%02d", k);
    hid_t d = H5Dopen2(f, name, H5P_DEFAULT);
    if (d < 0) {
      H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, eachError, &factor);
      continue;
    }
    if (mine % 2)
      H5Dread(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
    sum += v[k];
    H5Dclose(d);
  }
  H5Eset_auto2(H5E_DEFAULT, old, oldData);
  sum = sum * 100 + handled + mine;
  sum = sum * 1000 + walked;
  H5Fclose(f);
  printTotal("missing-first", sum);
  MPI_Finalize();
  return 0;
}

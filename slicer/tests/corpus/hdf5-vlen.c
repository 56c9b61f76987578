/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: sequences and strings of variable length say what is read next; their memory goes back by
 * H5Dvlen_reclaim and by free. */
#include "h5.h"
#include <stdlib.h>
static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-vlen.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n = 20, m = 4000;
  hvl_t seq[20];
  int v[4000];
  for (int i = 0; i < 4000; i++)
    v[i] = i * 3;
  for (int i = 0; i < 20; i++) {
    seq[i].len = (size_t)(3 + i % 4);
    seq[i].p = malloc(seq[i].len * sizeof(int));
    for (size_t k = 0; k < seq[i].len; k++)
      ((int *)seq[i].p)[k] = (int)(i * 191 + (int)k * 37) % 3900;
  }
  hid_t s = H5Screate_simple(1, &n, NULL), t = H5Tvlen_create(H5T_NATIVE_INT);
  hid_t d = H5Dcreate2(f, "lists", t, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(d, t, H5S_ALL, H5S_ALL, H5P_DEFAULT, seq);
  H5Dvlen_reclaim(t, s, H5P_DEFAULT, seq);
  H5Dclose(d);
  H5Sclose(s);
  n = 2;
  s = H5Screate_simple(1, &n, NULL);
  hid_t st = H5Tcopy(H5T_C_S1);
  H5Tset_size(st, H5T_VARIABLE);
  const char *names[] = {"values", "lists"};
  d = H5Dcreate2(f, "names", st, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(d, st, H5S_ALL, H5S_ALL, H5P_DEFAULT, names);
  H5Dclose(d);
  H5Sclose(s);
  H5Tclose(st);
  s = H5Screate_simple(1, &m, NULL);
  d = H5Dcreate2(f, "values", H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
  H5Sclose(s);
  H5Tclose(t);
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
  hid_t f = openToRead("hdf5-vlen.h5", MPI_COMM_WORLD);
  char *names[2];
  hid_t st = H5Tcopy(H5T_C_S1);
  H5Tset_size(st, H5T_VARIABLE);
  hid_t nd = H5Dopen2(f, "names", H5P_DEFAULT);
  H5Dread(nd, st, H5S_ALL, H5S_ALL, H5P_DEFAULT, names);
  hid_t d = H5Dopen2(f, names[0], H5P_DEFAULT), l = H5Dopen2(f, names[1], H5P_DEFAULT);
  free(names[0]);
  free(names[1]);
  hid_t t = H5Dget_type(l), s = H5Dget_space(l);
  hvl_t seq[20];
  H5Dread(l, t, H5S_ALL, H5S_ALL, H5P_DEFAULT, seq);
  for (int i = rank; i < 20; i += size)
    for (size_t k = 0; k < seq[i].len; k++) {
      int v[100];
      hsize_t start = (hsize_t)((int *)seq[i].p)[k], count = 100;
      readSlab(d, start, count, v);
      sum += v[i];
    }
  H5Dvlen_reclaim(t, s, H5P_DEFAULT, seq);
  H5Tclose(t);
  H5Sclose(s);
  H5Tclose(st);
  H5Dclose(nd);
  H5Dclose(l);
  H5Dclose(d);
  H5Fclose(f);
  printTotal("vlen", sum);
  MPI_Finalize();
  return 0;
}

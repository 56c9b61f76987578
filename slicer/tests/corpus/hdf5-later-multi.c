/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: H5Dread_multi, of several data sets at once, by selection I/O and without, whole and chosen by an index that another
 * of these calls has read. HDF5 1.14. */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>

enum { kSets = 3, kRows = 64, kCols = 48, kSteps = 8 };
static const char *const kNames[kSets] = {"plain", "chunks", "index"};

static void makeInput(void) {
  hid_t file = H5Fcreate("hdf5-later-multi.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t dims[2] = {kRows, kCols}, chunk[2] = {4, 48};
  static int values[kSets][kRows][kCols];
  const void *buffers[kSets] = {values[0], values[1], values[2]};
  hid_t space = H5Screate_simple(2, dims, NULL), chunked = H5Pcreate(H5P_DATASET_CREATE);
  hid_t sets[kSets], types[kSets], all[kSets];
  H5Pset_chunk(chunked, 2, chunk);
  for (int k = 0; k < kSets; k++) {
    for (int i = 0; i < kRows * kCols; i++)
      values[k][i / kCols][i % kCols] = k == 2 ? i * 29 % kRows : i * (k + 3) % 977;
    sets[k] = H5Dcreate2(file, kNames[k], H5T_NATIVE_INT, space, H5P_DEFAULT,
                         k == 1 ? chunked : H5P_DEFAULT, H5P_DEFAULT);
    types[k] = H5T_NATIVE_INT;
    all[k] = H5S_ALL;
  }
  H5Dwrite_multi(kSets, sets, types, all, all, H5P_DEFAULT, buffers);
  for (int k = 0; k < kSets; k++)
    H5Dclose(sets[k]);
  H5Pclose(chunked);
  H5Sclose(space);
  H5Fclose(file);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    makeInput();
  MPI_Barrier(MPI_COMM_WORLD);

  hid_t access = H5Pcreate(H5P_FILE_ACCESS), transfer = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  hid_t file = H5Fopen("hdf5-later-multi.h5", H5F_ACC_RDONLY, access);
  hid_t sets[kSets];
  for (int k = 0; k < kSets; k++)
    sets[k] = H5Dopen2(file, kNames[k], H5P_DEFAULT);

  static int index[1][kRows][kCols];
  hid_t type = H5T_NATIVE_INT, all = H5S_ALL;
  void *indexBuffer[1] = {index[0]};
  H5Dread_multi(1, &sets[2], &type, &all, &all, H5P_DEFAULT, indexBuffer);

  long sum = 0;
  hsize_t count[2] = {2, kCols};
  hid_t memory = H5Screate_simple(2, count, NULL);
  for (int step = 0; step < kSteps; step++) {
    int rows[2][2][kCols];
    void *buffers[2] = {rows[0], rows[1]};
    hid_t types[2] = {H5T_NATIVE_INT, H5T_NATIVE_INT}, memories[2] = {memory, memory}, spaces[2];
    H5Pset_selection_io(transfer, step % 2 ? H5D_SELECTION_IO_MODE_ON : H5D_SELECTION_IO_MODE_OFF);
    for (int k = 0; k < 2; k++) {
      hsize_t start[2] = {(hsize_t)(index[0][step][rank] % (kRows - 2)), 0};
      spaces[k] = H5Dget_space(sets[k]);
      H5Sselect_hyperslab(spaces[k], H5S_SELECT_SET, start, NULL, count, NULL);
    }
    H5Dread_multi(2, sets, types, memories, spaces, transfer, buffers);
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < 2 * kCols; i++)
        sum += (long)(k + 1) * rows[k][i / kCols][i % kCols];
      H5Sclose(spaces[k]);
    }
  }
  H5Sclose(memory);
  for (int k = 0; k < kSets; k++)
    H5Dclose(sets[k]);
  H5Pclose(transfer);
  H5Pclose(access);
  H5Fclose(file);

  long total = 0;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("multi %ld\n", total);
  MPI_Finalize();
  return 0;
}

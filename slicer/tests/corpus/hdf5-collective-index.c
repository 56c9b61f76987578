/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: an index is read collectively, in pieces, plain or packed, and its values say what is read next.
 * Collectively, HDF5 reads only what is selected of a plain chunk, and a packed chunk each time anew: in
 * no case it is in a chunk cache. The twin, which reads by itself, must not read it by its own. */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>

enum { kRows = 256, kColumns = 64, kPiece = 8, kSteps = 48 };

static void makeInput(void) {
  hid_t file = H5Fcreate("hdf5-collective-index.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t dims[2] = {kRows, kColumns}, chunk[2] = {16, kColumns};
  static long values[kRows * kColumns];
  hid_t space = H5Screate_simple(2, dims, NULL), properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(properties, 2, chunk);
  for (int k = 0; k < 2; k++) {
    for (long i = 0; i < kRows * kColumns; i++)
      values[i] = (i * 2654435761 >> 7) % kRows;
    if (k == 1)
      H5Pset_deflate(properties, 4);
    hid_t set = H5Dcreate2(file, k ? "packed" : "plain", H5T_NATIVE_LONG, space, H5P_DEFAULT,
                           properties, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_LONG, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(set);
  }
  H5Pclose(properties);
  H5Sclose(space);
  H5Fclose(file);
}

static void readAt(hid_t set, long row, long column, int count, hid_t transfer, long *values) {
  hsize_t start[2] = {(hsize_t)row, (hsize_t)column}, counts[2] = {1, (hsize_t)count};
  hid_t from = H5Dget_space(set), to = H5Screate_simple(2, counts, NULL);
  H5Sselect_hyperslab(from, H5S_SELECT_SET, start, NULL, counts, NULL);
  H5Dread(set, H5T_NATIVE_LONG, to, from, transfer, values);
  H5Sclose(from);
  H5Sclose(to);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeInput();
  MPI_Barrier(MPI_COMM_WORLD);
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), transfer = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  hid_t file = H5Fopen("hdf5-collective-index.h5", H5F_ACC_RDONLY, access);
  hid_t sets[] = {H5Dopen2(file, "plain", H5P_DEFAULT), H5Dopen2(file, "packed", H5P_DEFAULT)};
  /* Each rank in rows of its own: a packed chunk that several read collectively is read by one. */
  long sum = 0, total;
  for (int step = 0; step < kSteps; step++) {
    hid_t set = sets[step % 2];
    long index[kPiece], row[kColumns], mine = rank % 4 * 64;
    readAt(set, mine + step * 7 % 64, step % 8 * kPiece, kPiece, transfer, index);
    readAt(set, mine + index[3] % 64, 0, kColumns, transfer, row);
    for (int i = 0; i < kColumns; i++)
      sum += row[i] * (i % 5);
  }
  H5Dclose(sets[0]);
  H5Dclose(sets[1]);
  H5Fclose(file);
  H5Pclose(access);
  H5Pclose(transfer);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("hdf5-collective-index %ld\n", total);
  MPI_Finalize();
  return 0;
}

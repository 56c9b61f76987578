/* SPDX-License-Identifier: Apache-2.0 */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* hdf5WritesForAll FILE: the other processes read what HDF5 has one process write for them. In each
 * round, a data set is read, so that it is in the caches, and deleted; a new one takes its place,
 * filled by HDF5. Of a compressed data set, each process writes its part and reads it back: it
 * shares chunks with others. */

enum { kNumbers = 20000, kRounds = 8 };

static int numbers[kNumbers];

static hid_t make(hid_t file, const char *name, hid_t creation, int fill) {
  const hsize_t size = kNumbers;
  const hid_t space = H5Screate_simple(1, &size, NULL);
  H5Pset_fill_value(creation, H5T_NATIVE_INT, &fill);
  const hid_t made =
      H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  H5Sclose(space);
  return made;
}

static hid_t makeCompressed(hid_t file) {
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk = kNumbers / 7;
  H5Pset_chunk(creation, 1, &chunk);
  H5Pset_deflate(creation, 6);
  const hid_t made = make(file, "compressed", creation, 0);
  H5Pclose(creation);
  return made;
}

static int countOthers(int numbersRead, int value) {
  int others = 0;
  for (int i = 0; i < numbersRead; i++)
    others += numbers[i] != value;
  return others;
}

/** How many numbers differ from the fill value. */
static int checkFilled(hid_t file, int round) {
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk = kNumbers / 7;
  if (round % 2 == 1)
    H5Pset_chunk(creation, 1, &chunk);
  const hid_t made = make(file, "filled", creation, 1000 + round);
  const herr_t rc = H5Dread(made, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
  H5Dclose(made);
  H5Ldelete(file, "filled", H5P_DEFAULT);
  H5Pclose(creation);
  return rc < 0 ? kNumbers : countOthers(kNumbers, 1000 + round);
}

/** How many numbers of this process's part differ from what it wrote. */
static int checkCompressed(hid_t in, int value) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const hsize_t first = (hsize_t)kNumbers * rank / ranks;
  const hsize_t part = (hsize_t)kNumbers * (rank + 1) / ranks - first;
  const hid_t memory = H5Screate_simple(1, &part, NULL), space = H5Dget_space(in);
  const hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &part, NULL);
  for (int i = 0; i < kNumbers; i++)
    numbers[i] = value;
  herr_t rc = H5Dwrite(in, H5T_NATIVE_INT, memory, space, transfer, numbers);
  for (int i = 0; i < kNumbers; i++)
    numbers[i] = -1;
  if (rc >= 0)
    rc = H5Dread(in, H5T_NATIVE_INT, memory, space, transfer, numbers);
  H5Pclose(transfer);
  H5Sclose(space);
  H5Sclose(memory);
  return rc < 0 ? kNumbers : countOthers((int)part, value);
}

int main(int argc, char **argv) {
  int rank, wrong = 0, all;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  const hid_t file = argc > 1 ? H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, access) : -1;
  const hid_t compressed = makeCompressed(file);
  for (int round = 0; round < kRounds; round++) {
    const int filled = checkFilled(file, round), own = checkCompressed(compressed, round);
    if (filled + own != 0)
      printf("rank %d, round %d: %d and %d other numbers\n", rank, round, filled, own);
    wrong += filled + own != 0;
  }
  H5Dclose(compressed);
  H5Pclose(access);
  H5Fclose(file);
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return all == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What programs of HDF5 have in common. */
#ifndef H5_H
#define H5_H

#include "total.h"
#include <hdf5.h>

static inline hid_t openToRead(const char *name, MPI_Comm comm) {
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(fapl, comm, MPI_INFO_NULL);
  hid_t file = H5Fopen(name, H5F_ACC_RDONLY, fapl);
  H5Pclose(fapl);
  return file;
}

/* Reads count numbers of a set of one dimension. */
static inline void readSlab(hid_t set, hsize_t start, hsize_t count, int *to) {
  hid_t from = H5Dget_space(set), memory = H5Screate_simple(1, &count, NULL);
  H5Sselect_hyperslab(from, H5S_SELECT_SET, &start, NULL, &count, NULL);
  H5Dread(set, H5T_NATIVE_INT, memory, from, H5P_DEFAULT, to);
  H5Sclose(memory);
  H5Sclose(from);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "ahead.h"
#include "module.h"

/** \file
 * What netCDF calls in place of functions of HDF5. Its buffers are its own, and no slice's, and it also reads what it
 * needs itself; what is not here is what HDF5's module has for any caller.
 */

Below below;

/** In parallel netCDF has HDF5 open files by MPI-IO, and leaves it the chunk cache that HDF5 has by itself. */
static hid_t accessInParallel(hid_t properties) {
  const hid_t access = H5Pcopy(properties), plain = H5Pcreate(H5P_FILE_ACCESS);
  int elements;
  size_t slots, bytes;
  double preemption;
  if (H5Pget_cache(plain, &elements, &slots, &bytes, &preemption) >= 0)
    H5Pset_cache(access, elements, slots, bytes, preemption);
  H5Pset_driver(access, H5FD_MPIO, NULL);
  H5Pclose(plain);
  return access;
}

FORERUN_EXPORT hid_t forerun_netcdf_H5Fopen(const char *name, unsigned flags, hid_t properties) {
  if (!below.isParallel)
    return forerun_twin_H5Fopen(name, flags, properties);
  const hid_t access = accessInParallel(properties);
  const hid_t file = forerun_twin_H5Fopen(name, flags, access);
  H5Pclose(access);
  return file;
}

static hid_t collectively(void) {
  static hid_t transfer = H5P_DEFAULT;
  if (transfer == H5P_DEFAULT) {
    transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  }
  return transfer;
}

FORERUN_EXPORT herr_t forerun_netcdf_H5Dread(hid_t dataset, hid_t memoryType, hid_t memorySpace,
                                             hid_t fileSpace, hid_t transfer, void *buffer) {
  (void)transfer; /* the twin's netCDF is not parallel */
  const hid_t program = below.isCollective ? collectively() : H5P_DEFAULT;
  if (below.isForNobody)
    return forerun_twin_H5Dread(dataset, memoryType, memorySpace, fileSpace, program, NULL);
  return forerun_hdf5_readValues(dataset, memoryType, memorySpace, fileSpace, program, buffer);
}

/** The module knows which attributes the program has written: aheadAttributes.c. */
FORERUN_EXPORT herr_t forerun_netcdf_H5Aread(hid_t attribute, hid_t memoryType, void *buffer) {
  return H5Aread(attribute, memoryType, buffer);
}

/** Of those that netCDF keeps for itself it has the values, and needs them again (DIMENSION_LIST). */
FORERUN_EXPORT herr_t forerun_netcdf_H5Awrite(hid_t attribute, hid_t memoryType,
                                              const void *buffer) {
  return H5Awrite(attribute, memoryType, buffer);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "driver.h"
#include "module.h"

/** \file
 * What a pre-execution thread calls in place of functions of HDF5: files. Those that the program opens by
 * MPI-IO are opened through the twin's driver, those that it creates are in memory alone. Any other
 * is read as it is.
 */

/* As macros they end the process if the library's release is not that of the header. */
static const unsigned kReadOnly = 0, kWritable = 1, kAnew = 2;

/** A copy of the program's property list for access, with the twin's driver. */
static hid_t accessTo(DriverFile file, hid_t properties) {
  const hid_t access = properties == H5P_DEFAULT ? H5Pcreate(H5P_FILE_ACCESS) : H5Pcopy(properties);
  if (access >= 0 && driverSet(access, file) >= 0)
    return access;
  H5Pclose(access);
  return -1;
}

/** With MPI, HDF5 has no chunk cache in a file that is open to write. */
static void haveNoChunkCache(hid_t access) { H5Pset_cache(access, 0, 1, 0, 0); }

FORERUN_EXPORT hid_t forerun_twin_H5Fopen(const char *name, unsigned flags, hid_t properties) {
  const DriverFile file = {.file = theHost->opened(theHost->context),
                           .isWritable = (flags & kWritable) != 0};
  if (file.file == 0 && file.isWritable)
    theHost->end(theHost->context, "a file of HDF5 is open to write, and not by MPI-IO");
  if (file.file == 0)
    return H5Fopen(name, kReadOnly, properties);
  const hid_t access = accessTo(file, properties);
  if (file.isWritable)
    haveNoChunkCache(access);
  const hid_t opened = H5Fopen(name, file.isWritable ? kWritable : kReadOnly, access);
  H5Pclose(access);
  return opened;
}

FORERUN_EXPORT hid_t forerun_twin_H5Fcreate(const char *name, unsigned flags, hid_t creation,
                                            hid_t properties) {
  (void)flags;
  const hid_t access = accessTo((DriverFile){.file = 0, .isWritable = true}, properties);
  haveNoChunkCache(access);
  const hid_t created = H5Fcreate(name, kAnew, creation, access);
  H5Pclose(access);
  return created;
}

/** The driver for MPI-IO would call MPI, of which there is a second copy in the twin's namespace. */
FORERUN_EXPORT herr_t forerun_twin_H5Pset_fapl_mpio(hid_t properties, MPI_Comm comm,
                                                    MPI_Info info) {
  (void)properties, (void)comm, (void)info;
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Fset_mpi_atomicity(hid_t file, hbool_t flag) {
  (void)file, (void)flag;
  return 0;
}

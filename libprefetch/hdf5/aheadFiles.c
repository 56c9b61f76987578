/* SPDX-License-Identifier: Apache-2.0 */
#include "ahead.h"
#include "driver.h"
#include "module.h"

/** \file
 * What a pre-execution thread calls in place of functions of HDF5: files. Those that the program opens by
 * MPI-IO are opened through the twin's driver, those that it creates are in memory alone. Any other
 * is read as it is.
 */

/** What decides where things lie, and what is kept of them, goes from the program's property list for access to
 * the twin's. Nothing else does: a driver may write to files of its own, and so may a log. */
static void copyProperties(hid_t from, hid_t to) {
  H5F_libver_t low, high;
  hsize_t threshold, alignment, bytes;
  int elements;
  size_t slots, cacheBytes;
  double preemption;
  H5F_close_degree_t degree;
  unsigned files;
  if (H5Pget_libver_bounds(from, &low, &high) >= 0)
    H5Pset_libver_bounds(to, low, high);
  if (H5Pget_alignment(from, &threshold, &alignment) >= 0)
    H5Pset_alignment(to, threshold, alignment);
  if (H5Pget_meta_block_size(from, &bytes) >= 0)
    H5Pset_meta_block_size(to, bytes);
  if (H5Pget_small_data_block_size(from, &bytes) >= 0)
    H5Pset_small_data_block_size(to, bytes);
  if (H5Pget_cache(from, &elements, &slots, &cacheBytes, &preemption) >= 0)
    H5Pset_cache(to, elements, slots, cacheBytes, preemption);
  if (H5Pget_fclose_degree(from, &degree) >= 0)
    H5Pset_fclose_degree(to, degree);
  if (H5Pget_elink_file_cache_size(from, &files) >= 0)
    H5Pset_elink_file_cache_size(to, files);
}

static hid_t accessTo(DriverFile file, hid_t properties) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (properties != H5P_DEFAULT)
    copyProperties(properties, access);
  if (file.isWritable) /* with MPI, HDF5 has no chunk cache in a file that is open to write */
    H5Pset_cache(access, 0, 1, 0, 0);
  if (driverSet(access, file) >= 0)
    return access;
  H5Pclose(access);
  return -1;
}

static hid_t driverOf(hid_t properties) {
  return properties == H5P_DEFAULT ? H5FD_SEC2 : H5Pget_driver(properties);
}

/** Files of these drivers have the name that is given to H5Fopen, and all that is in the file is there. */
static void mustBeOneFile(hid_t driver) {
  if (driver != H5FD_SEC2 && driver != H5FD_STDIO && driver != H5FD_LOG)
    theHost->end(theHost->context, "a file of HDF5 is opened by a driver that it does not know");
}

FORERUN_EXPORT hid_t forerun_twin_H5Fopen(const char *name, unsigned flags, hid_t properties) {
  const hid_t driver = driverOf(properties);
  /* in this call, for which the thread has waited; else it may be a file that HDF5 has opened on the way before */
  const uint64_t opened = driver == H5FD_MPIO ? theHost->opened(theHost->context) : 0;
  if (driver == H5FD_MPIO && opened == 0)
    return -1; /* the program's call has failed, as where a file is optional */
  const DriverFile file = {.source = opened != 0 ? SourceHost : SourceByName,
                           .file = opened,
                           .isWritable = (flags & kWritable) != 0};
  if (opened == 0)
    mustBeOneFile(driver);
  const hid_t access = accessTo(file, properties);
  const hid_t id = H5Fopen(name, file.isWritable ? kWritable : kReadOnly, access);
  H5Pclose(access);
  return id;
}

FORERUN_EXPORT hid_t forerun_twin_H5Fcreate(const char *name, unsigned flags, hid_t creation,
                                            hid_t properties) {
  (void)flags;
  const hid_t access =
      accessTo((DriverFile){.source = SourceNowhere, .isWritable = true}, properties);
  const hid_t id = H5Fcreate(name, kAnew, creation, access);
  H5Pclose(access);
  return id;
}

/** The driver for MPI-IO would call MPI, of which there is a second copy in the twin's namespace. */
FORERUN_EXPORT herr_t forerun_twin_H5Pset_fapl_mpio(hid_t properties, MPI_Comm comm,
                                                    MPI_Info info) {
  (void)comm, (void)info;
  return H5Pset_driver(properties, H5FD_MPIO, NULL);
}

/** Files behind links are opened as the program opens them. */
FORERUN_EXPORT herr_t forerun_twin_H5Pset_elink_fapl(hid_t links, hid_t properties) {
  if (properties == H5P_DEFAULT) /* as the file with the link */
    return H5Pset_elink_fapl(links, properties);
  const hid_t driver = H5Pget_driver(properties);
  if (driver != H5FD_MPIO)
    mustBeOneFile(driver);
  const hid_t access = accessTo(
      (DriverFile){.source = driver == H5FD_MPIO ? SourcePending : SourceByName}, properties);
  const herr_t rc = H5Pset_elink_fapl(links, access);
  H5Pclose(access);
  return rc;
}

/** A file that is open by the twin's driver is one that the program has opened by MPI-IO, mostly. */
FORERUN_EXPORT hid_t forerun_twin_H5Pget_driver(hid_t properties) {
  const hid_t driver = H5Pget_driver(properties);
  return driverIs(driver) ? H5FD_MPIO : driver;
}

/** What asks about the communicator asks the main thread. */
FORERUN_EXPORT herr_t forerun_twin_H5Pget_fapl_mpio(hid_t properties, MPI_Comm *comm,
                                                    MPI_Info *info) {
  (void)properties;
  if (comm != NULL)
    *comm = MPI_COMM_NULL;
  if (info != NULL)
    *info = MPI_INFO_NULL;
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Fget_vfd_handle(hid_t file, hid_t access, void **handle) {
  (void)file, (void)access, (void)handle;
  theHost->end(theHost->context, "it needs what HDF5's file driver has of a file");
  return -1;
}

/** It may ask for a log. */
FORERUN_EXPORT herr_t forerun_twin_H5Fset_mdc_config(hid_t file, H5AC_cache_config_t *config) {
  (void)file, (void)config;
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Fset_mpi_atomicity(hid_t file, hbool_t flag) {
  (void)file, (void)flag;
  return 0;
}

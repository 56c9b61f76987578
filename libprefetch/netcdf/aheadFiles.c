/* SPDX-License-Identifier: Apache-2.0 */
#include "module.h"

#include <mpi.h>
#include <netcdf.h>
#include <stdbool.h>
#include <stddef.h>

/** \file
 * What a pre-execution thread calls in place of netCDF's functions that open, create and end files. The twin
 * changes no file: files of HDF5 are its driver's, and those of the classic format are read, or are in
 * memory alone.
 */

enum { kOfTheClassicFormats = NC_64BIT_OFFSET | NC_64BIT_DATA };

static int leave(int file, const char *why) {
  nc_close(file);
  theHost->end(theHost->context, why);
  return NC_EPERM;
}

static bool isHdf5(int file) {
  int format = 0;
  return nc_inq_format_extended(file, &format, NULL) == NC_NOERR && format == NC_FORMATX_NC_HDF5;
}

/** Of what decides how the file is opened, whether it may be written. */
static int openAs(const char *path, int mode, int *file) {
  int rc = nc_open(path, NC_NOWRITE, file);
  if (rc != NC_NOERR || (mode & NC_WRITE) == 0)
    return rc;
  if (!isHdf5(*file))
    return leave(*file, "it writes to a file of netCDF's classic format");
  nc_close(*file);
  return nc_open(path, NC_WRITE, file);
}

FORERUN_EXPORT int forerun_twin_nc_open(const char *path, int mode, int *file) {
  return openAs(path, mode, file);
}

FORERUN_EXPORT int forerun_twin_nc__open(const char *path, int mode, size_t *bufferBytes,
                                         int *file) {
  (void)bufferBytes;
  return openAs(path, mode, file);
}

/** As if it were opened by one process: the twin has no MPI. */
FORERUN_EXPORT int forerun_twin_nc_open_par(const char *path, int mode, MPI_Comm comm,
                                            MPI_Info info, int *file) {
  (void)comm, (void)info;
  const int rc = nc_open(path, mode & NC_WRITE, file);
  return rc == NC_NOERR && !isHdf5(*file)
             ? leave(*file, "it opens a file of netCDF's classic format in parallel")
             : rc;
}

/** In memory, whatever it is. */
static int create(const char *path, int mode, int *file) {
  if ((mode & NC_NETCDF4) != 0)
    return nc_create(path, NC_CLOBBER | (mode & (NC_NETCDF4 | NC_CLASSIC_MODEL)), file);
  return nc_create(path, NC_CLOBBER | NC_DISKLESS | (mode & kOfTheClassicFormats), file);
}

FORERUN_EXPORT int forerun_twin_nc_create(const char *path, int mode, int *file) {
  return create(path, mode, file);
}

FORERUN_EXPORT int forerun_twin_nc__create(const char *path, int mode, size_t firstBytes,
                                           size_t *bufferBytes, int *file) {
  (void)firstBytes, (void)bufferBytes;
  return create(path, mode, file);
}

FORERUN_EXPORT int forerun_twin_nc_create_par(const char *path, int mode, MPI_Comm comm,
                                              MPI_Info info, int *file) {
  (void)comm, (void)info;
  return create(path, mode, file);
}

/** No file has parallel access in the twin. */
FORERUN_EXPORT int forerun_twin_nc_var_par_access(int file, int variable, int access) {
  (void)file, (void)variable, (void)access;
  return NC_NOERR;
}

FORERUN_EXPORT int forerun_twin_nc_sync(int file) {
  (void)file;
  return NC_NOERR;
}

/** It would remove a file that is new. */
FORERUN_EXPORT int forerun_twin_nc_abort(int file) { return nc_close(file); }

FORERUN_EXPORT int forerun_twin_nc_delete(const char *path) {
  (void)path;
  return NC_NOERR;
}

FORERUN_EXPORT int forerun_twin_nc_finalize(void) { return NC_NOERR; }

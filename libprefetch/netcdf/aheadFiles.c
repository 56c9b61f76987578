/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"
#include "module.h"

#include <mpi.h>
#include <netcdf.h>
#include <netcdf_mem.h>
#include <netcdf_par.h>
#include <stddef.h>

/** \file
 * What a pre-execution thread calls in place of netCDF's functions that open, create and end files. The twin
 * changes no file: files of HDF5 are its driver's, and those of the classic formats are read as they are, or
 * are in memory alone.
 */

enum { kOfTheClassicFormats = NC_64BIT_OFFSET | NC_64BIT_DATA };

static int leave(int file, const char *why) {
  nc_close(file);
  theHost->end(theHost->context, why);
  return NC_EPERM;
}

static int added(int rc, const int *file) {
  if (rc == NC_NOERR)
    filesAdd(*file);
  return rc;
}

static int addedInParallel(int rc, const int *file, bool isCreated) {
  if (added(rc, file) == NC_NOERR)
    filesIsOpenInParallel(*file, isCreated);
  return rc;
}

/** Of the mode only that decides on how it is opened: whether it may be written. */
static int openAs(const char *path, int mode, int *file) {
  const int rc = nc_open(path, NC_NOWRITE, file);
  if (rc != NC_NOERR || (mode & NC_WRITE) == 0)
    return added(rc, file);
  if (!filesIsDriven(*file))
    return leave(*file, "it writes to a file of netCDF's classic formats");
  nc_close(*file);
  return added(nc_open(path, NC_WRITE, file), file);
}

FORERUN_EXPORT int forerun_twin_nc_open(const char *path, int mode, int *file) {
  return openAs(path, mode, file);
}

FORERUN_EXPORT int forerun_twin_nc__open(const char *path, int mode, size_t *bufferBytes,
                                         int *file) {
  (void)bufferBytes;
  return openAs(path, mode, file);
}

FORERUN_EXPORT int forerun_twin_nc__open_mp(const char *path, int mode, int processor,
                                            size_t *bufferBytes, int *file) {
  (void)processor, (void)bufferBytes;
  return openAs(path, mode, file);
}

/** As if one process opened it: the twin has no MPI. */
static int openInParallel(const char *path, int mode, int *file) {
  below.isParallel = true;
  const int rc = nc_open(path, mode & NC_WRITE, file);
  below.isParallel = false;
  if (rc == NC_NOERR && !filesIsDriven(*file))
    return leave(*file, "it opens a file of netCDF's classic formats in parallel");
  return addedInParallel(rc, file, false);
}

FORERUN_EXPORT int forerun_twin_nc_open_par(const char *path, int mode, MPI_Comm comm,
                                            MPI_Info info, int *file) {
  (void)comm, (void)info;
  return openInParallel(path, mode, file);
}

FORERUN_EXPORT int forerun_twin_nc_open_par_fortran(const char *path, int mode, int comm, int info,
                                                    int *file) {
  (void)comm, (void)info;
  return openInParallel(path, mode, file);
}

/** In memory, whatever it is. */
static int create(const char *path, int mode, int *file) {
  const int as = (mode & NC_NETCDF4) != 0
                     ? NC_CLOBBER | (mode & (NC_NETCDF4 | NC_CLASSIC_MODEL))
                     : NC_CLOBBER | NC_DISKLESS | (mode & kOfTheClassicFormats);
  return added(nc_create(path, as, file), file);
}

FORERUN_EXPORT int forerun_twin_nc_create(const char *path, int mode, int *file) {
  return create(path, mode, file);
}

FORERUN_EXPORT int forerun_twin_nc__create(const char *path, int mode, size_t firstBytes,
                                           size_t *bufferBytes, int *file) {
  (void)firstBytes, (void)bufferBytes;
  return create(path, mode, file);
}

FORERUN_EXPORT int forerun_twin_nc__create_mp(const char *path, int mode, size_t firstBytes,
                                              int processor, size_t *bufferBytes, int *file) {
  (void)firstBytes, (void)processor, (void)bufferBytes;
  return create(path, mode, file);
}

FORERUN_EXPORT int forerun_twin_nc_create_par(const char *path, int mode, MPI_Comm comm,
                                              MPI_Info info, int *file) {
  (void)comm, (void)info;
  return addedInParallel(create(path, mode, file), file, true);
}

FORERUN_EXPORT int forerun_twin_nc_create_par_fortran(const char *path, int mode, int comm,
                                                      int info, int *file) {
  (void)comm, (void)info;
  return addedInParallel(create(path, mode, file), file, true);
}

static int endInMemory(void) {
  theHost->end(theHost->context, "it has a file of netCDF's in memory");
  return NC_EPERM;
}

FORERUN_EXPORT int forerun_twin_nc_open_mem(const char *path, int mode, size_t bytes, void *memory,
                                            int *file) {
  (void)path, (void)mode, (void)bytes, (void)memory, (void)file;
  return endInMemory();
}

FORERUN_EXPORT int forerun_twin_nc_open_memio(const char *path, int mode, NC_memio *memory,
                                              int *file) {
  (void)path, (void)mode, (void)memory, (void)file;
  return endInMemory();
}

FORERUN_EXPORT int forerun_twin_nc_create_mem(const char *path, int mode, size_t firstBytes,
                                              int *file) {
  (void)path, (void)mode, (void)firstBytes, (void)file;
  return endInMemory();
}

FORERUN_EXPORT int forerun_twin_nc_def_user_format(int mode, NC_Dispatch *functions, char *magic) {
  (void)mode, (void)functions, (void)magic;
  theHost->end(theHost->context, "it has a format of its own for netCDF");
  return NC_EPERM;
}

/** To the twin's netCDF no file is parallel. */
FORERUN_EXPORT int forerun_twin_nc_var_par_access(int file, int variable, int access) {
  filesReads(file, variable, access == NC_COLLECTIVE);
  return nc_inq_vartype(file, variable, NULL);
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

FORERUN_EXPORT int forerun_twin_nc_delete_mp(const char *path, int processor) {
  (void)path, (void)processor;
  return NC_NOERR;
}

FORERUN_EXPORT int forerun_twin_nc_finalize(void) { return NC_NOERR; }

/** The twin prints nothing. */
FORERUN_EXPORT int forerun_twin_nc_set_log_level(int level) {
  (void)level;
  return NC_NOERR;
}

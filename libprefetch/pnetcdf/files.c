/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include "module.h"

#include <pnetcdf.h>
#include <stdlib.h>
#include <string.h>

/** \file
 * What a pre-execution thread calls in place of functions of PnetCDF: files.
 */

static File files[NC_MAX_NFILES];

File *filesFind(int ncid) {
  return ncid >= 0 && ncid < NC_MAX_NFILES && files[ncid].path != NULL ? &files[ncid] : NULL;
}

static void remember(int ncid, const char *path, File file) {
  free(files[ncid].path);
  files[ncid] = file;
  files[ncid].path = strdup(path);
}

/** Those of the program are handles of another MPI. Bytes are swapped in place, for which no more memory is
 * needed. The header is read by one process of the program, in pieces of 256 KiB if it has no hints, and by each
 * of the twins. */
static MPI_Info hints(int rank, bool hasOthers) {
  MPI_Info info;
  if (MPI_Info_create(&info) != MPI_SUCCESS)
    return MPI_INFO_NULL;
  MPI_Info_set(info, "nc_in_place_swap", "enable");
  if (rank > 0 || hasOthers)
    MPI_Info_set(info, "nc_header_read_chunk_size", "8192");
  return info;
}

/** What MPI-IO has opened in this call, for which the thread has waited. 0, with `*rc` set: the call has failed
 * before that. */
static uint64_t openedFile(const char *path, int *rc) {
  const uint64_t opened = theHost->opened(theHost->context);
  int format = NC_FORMAT_UNKNOWN;
  *rc = ncmpi_inq_file_format(path, &format);
  if (format == NC_FORMAT_NETCDF4 || format == NC_FORMAT_NETCDF4_CLASSIC)
    theHost->end(theHost->context, "PnetCDF opens a file of netCDF-4");
  if ((opened != 0) != (*rc == NC_NOERR))
    theHost->end(theHost->context, opened != 0 ? "a file is no longer what PnetCDF has opened"
                                               : "a file that PnetCDF opens has no cache");
  return opened;
}

FORERUN_EXPORT int forerun_twin_ncmpi_open(MPI_Comm comm, const char *path, int mode, MPI_Info info,
                                           int *ncid) {
  (void)comm;
  int rc = NC_NOERR;
  File file = {.file = openedFile(path, &rc),
               .isWritable = (mode & NC_WRITE) != 0,
               .hasHints = info != MPI_INFO_NULL};
  if (file.file == 0)
    return rc;
  MPI_Info ours = hints(theHost->rank(theHost->context, file.file, &file.ranks), file.hasHints);
  forerun_twin_mpi_opens(file.file);
  forerun_twin_mpi_reads(FORERUN_TWIN_FETCH);
  rc = ncmpi_open(MPI_COMM_SELF, path, mode, ours, ncid);
  forerun_twin_mpi_reads(FORERUN_TWIN_IGNORE);
  MPI_Info_free(&ours);
  if (*ncid >= 0 && (rc == NC_NOERR || rc == NC_ENULLPAD))
    remember(*ncid, path, file);
  return rc;
}

/** Under a name that no file can have: PnetCDF truncates the file that is there. Where hints say how the file
 * is laid out, it is another one for the twin. */
FORERUN_EXPORT int forerun_twin_ncmpi_create(MPI_Comm comm, const char *path, int mode,
                                             MPI_Info info, int *ncid) {
  (void)comm;
  const uint64_t opened = theHost->opened(theHost->context);
  if (opened == 0 && (mode & NC_NOCLOBBER) != 0)
    return NC_EEXIST;
  File file = {.file = info == MPI_INFO_NULL ? opened : 0,
               .isWritable = true,
               .hasHints = info != MPI_INFO_NULL};
  MPI_Info ours = hints(theHost->rank(theHost->context, opened, &file.ranks), file.hasHints);
  forerun_twin_mpi_opens(file.file);
  const int rc = ncmpi_create(MPI_COMM_SELF, "/dev/null/forerun", mode, ours, ncid);
  MPI_Info_free(&ours);
  if (rc == NC_NOERR && opened == 0)
    theHost->end(theHost->context, "PnetCDF has created a file without MPI-IO, or could not");
  if (rc == NC_NOERR)
    remember(*ncid, path, file);
  return rc;
}

/** It opens the file a second time. */
FORERUN_EXPORT int forerun_twin_ncmpi_begin_indep_data(int ncid) {
  const File *file = filesFind(ncid);
  forerun_twin_mpi_opens(file == NULL ? 0 : file->file);
  return ncmpi_begin_indep_data(ncid);
}

int filesWritten(int rc) {
  theHost->announced(theHost->context);
  return rc;
}

static int ended(int ncid, int (*how)(int)) {
  File *file = filesFind(ncid);
  const int rc = filesWritten(how(ncid));
  if (file != NULL) {
    free(file->path);
    file->path = NULL;
  }
  return rc;
}

FORERUN_EXPORT int forerun_twin_ncmpi_close(int ncid) { return ended(ncid, ncmpi_close); }

FORERUN_EXPORT int forerun_twin_ncmpi_abort(int ncid) { return ended(ncid, ncmpi_abort); }

FORERUN_EXPORT int forerun_twin_ncmpi_inq_path(int ncid, int *length, char *path) {
  const File *file = filesFind(ncid);
  if (file == NULL)
    return NC_EBADID;
  const size_t bytes = strlen(file->path);
  if (length != NULL)
    *length = (int)bytes;
  if (path != NULL) {
    theHost->own(theHost->context, path, bytes + 1);
    memcpy(path, file->path, bytes + 1);
  }
  return NC_NOERR;
}

FORERUN_EXPORT int forerun_twin_ncmpi_redef(int ncid) {
  const File *file = filesFind(ncid);
  if (file != NULL && file->hasHints && file->file != 0)
    theHost->end(theHost->context, "a file is laid out anew, with hints that it does not know");
  return ncmpi_redef(ncid);
}

FORERUN_EXPORT int forerun_twin_ncmpi_enddef(int ncid) { return filesWritten(ncmpi_enddef(ncid)); }

FORERUN_EXPORT int forerun_twin_ncmpi__enddef(int ncid, MPI_Offset headerFree, MPI_Offset alignment,
                                              MPI_Offset dataFree, MPI_Offset recordAlignment) {
  return filesWritten(ncmpi__enddef(ncid, headerFree, alignment, dataFree, recordAlignment));
}

FORERUN_EXPORT int forerun_twin_ncmpi_fill_var_rec(int ncid, int varid, MPI_Offset record) {
  return filesWritten(ncmpi_fill_var_rec(ncid, varid, record));
}

FORERUN_EXPORT int forerun_twin_ncmpi_end_indep_data(int ncid) {
  return filesWritten(ncmpi_end_indep_data(ncid));
}

FORERUN_EXPORT int forerun_twin_ncmpi_sync_numrecs(int ncid) {
  return filesWritten(ncmpi_sync_numrecs(ncid));
}

FORERUN_EXPORT int forerun_twin_ncmpi_sync(int ncid) { return filesWritten(ncmpi_sync(ncid)); }

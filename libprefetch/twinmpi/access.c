/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>

/** \file
 * What becomes of reads and writes.
 */

static forerun_twin_mpi_read reads = FORERUN_TWIN_FETCH;

void forerun_twin_mpi_reads(forerun_twin_mpi_read as) { reads = as; }

static bool announcePiece(void *with, MPI_Aint at, MPI_Aint bytes) {
  const struct ADIOI_FileD *file = with;
  filesHost->announce(filesHost->context, file->file, (uint64_t)at, (uint64_t)bytes);
  return true;
}

static bool dirtyPiece(void *with, MPI_Aint at, MPI_Aint bytes) {
  struct ADIOI_FileD *file = with;
  if (file->file != 0)
    filesHost->dirty(filesHost->context, file->file, (uint64_t)at, (uint64_t)bytes);
  else if (at + bytes > file->end)
    file->end = at + bytes;
  return true;
}

/** A row of bytes that is being fetched. */
typedef struct Fetched {
  uint64_t file;
  char *row;
  MPI_Offset bytes;
  bool hasFailed;
} Fetched;

/** Stops where the file ends. */
static bool fetchPiece(void *with, MPI_Aint at, MPI_Aint bytes) {
  Fetched *to = with;
  size_t got = 0;
  if (!filesHost->fetch(filesHost->context, to->file, (uint64_t)at, to->row + to->bytes,
                        (size_t)bytes, &got))
    to->hasFailed = true;
  to->bytes += (MPI_Offset)got;
  return !to->hasFailed && got == (size_t)bytes;
}

static int fetch(const Access *access, const Type *type, MPI_Offset bytes) {
  if (access->file->file == 0)
    return MPI_ERR_IO;
  char *row = malloc((size_t)bytes + 1);
  if (row == NULL)
    return MPI_ERR_NO_MEM;
  Fetched to = {access->file->file, row, 0, false};
  viewsWalk(access->file, access->offset, bytes, fetchPiece, &to);
  if (!to.hasFailed) {
    typesScatter(row, to.bytes, access->buffer, access->count, type);
    statusSet(access->status, to.bytes);
  }
  free(row);
  return to.hasFailed ? MPI_ERR_IO : MPI_SUCCESS;
}

int accessRead(const Access *access) {
  const Type *type = typesFind(access->type);
  if (type == NULL || access->file == NULL)
    return type == NULL ? MPI_ERR_TYPE : MPI_ERR_FILE;
  const MPI_Offset bytes = access->count * type->size;
  if (reads == FORERUN_TWIN_FETCH && bytes > 0)
    return fetch(access, type, bytes);
  if (reads == FORERUN_TWIN_ANNOUNCE && access->file->file != 0)
    viewsWalk(access->file, access->offset, bytes, announcePiece, access->file);
  statusSet(access->status, bytes);
  return MPI_SUCCESS;
}

int accessWrite(const Access *access) {
  const Type *type = typesFind(access->type);
  if (type == NULL || access->file == NULL)
    return type == NULL ? MPI_ERR_TYPE : MPI_ERR_FILE;
  const MPI_Offset bytes = access->count * type->size;
  viewsWalk(access->file, access->offset, bytes, dirtyPiece, access->file);
  statusSet(access->status, bytes);
  return MPI_SUCCESS;
}

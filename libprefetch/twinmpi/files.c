/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include <stdlib.h>

const forerun_twin_host *filesHost;

static uint64_t opens;

void forerun_twin_mpi_begin(const forerun_twin_host *host) { filesHost = host; }

void forerun_twin_mpi_opens(uint64_t file) { opens = file; }

int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *opened) {
  (void)comm, (void)name, (void)info;
  if (filesHost == NULL)
    return MPI_ERR_NO_SUCH_FILE;
  struct ADIOI_FileD *file = calloc(1, sizeof *file);
  if (file == NULL)
    return MPI_ERR_NO_MEM;
  file->file = opens;
  file->mode = mode;
  file->element = file->tile = typesFind(MPI_BYTE);
  *opened = file;
  return MPI_SUCCESS;
}

int MPI_File_close(MPI_File *closed) {
  typesRelease((*closed)->element);
  typesRelease((*closed)->tile);
  free(*closed);
  *closed = MPI_FILE_NULL;
  return MPI_SUCCESS;
}

/** Files are not changed. */
int MPI_File_delete(const char *name, MPI_Info info) {
  (void)name, (void)info;
  return MPI_SUCCESS;
}

int MPI_File_sync(MPI_File file) {
  (void)file;
  return MPI_SUCCESS;
}

int MPI_File_get_info(MPI_File file, MPI_Info *info) {
  (void)file;
  return MPI_Info_create(info);
}

int MPI_File_get_amode(MPI_File file, int *mode) {
  *mode = file->mode;
  return MPI_SUCCESS;
}

int MPI_File_get_size(MPI_File file, MPI_Offset *size) {
  uint64_t bytes = 0;
  if (file->file != 0 && !filesHost->size(filesHost->context, file->file, &bytes))
    return MPI_ERR_FILE;
  *size = file->file != 0 ? (MPI_Offset)bytes : file->end;
  return MPI_SUCCESS;
}

int MPI_File_set_size(MPI_File file, MPI_Offset size) {
  file->end = size;
  return MPI_SUCCESS;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

/** \file
 * MPI's calls that read and write: with an offset of their own, or from the file pointer on. Where there is one
 * process, all of them do what the independent ones do.
 */

int MPI_File_read_at(MPI_File file, MPI_Offset offset, void *buffer, int count, MPI_Datatype type,
                     MPI_Status *status) {
  return accessRead(&(Access){file, offset, buffer, count, type, status});
}

int MPI_File_read_at_all(MPI_File file, MPI_Offset offset, void *buffer, int count,
                         MPI_Datatype type, MPI_Status *status) {
  return accessRead(&(Access){file, offset, buffer, count, type, status});
}

int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void *buffer, int count,
                      MPI_Datatype type, MPI_Status *status) {
  return accessWrite(&(Access){file, offset, (void *)buffer, count, type, status});
}

int MPI_File_write_at_all(MPI_File file, MPI_Offset offset, const void *buffer, int count,
                          MPI_Datatype type, MPI_Status *status) {
  return accessWrite(&(Access){file, offset, (void *)buffer, count, type, status});
}

/** The pointer goes on by as many elements as have been asked for. */
static Access fromPointer(MPI_File file, const void *buffer, int count, MPI_Datatype type,
                          MPI_Status *status) {
  const MPI_Offset pointer = file == NULL ? 0 : file->pointer;
  const Access access = {file, pointer, (void *)buffer, count, type, status};
  const Type *of = typesFind(type);
  if (of != NULL && file != NULL && file->element->size > 0)
    file->pointer += count * of->size / file->element->size;
  return access;
}

int MPI_File_read(MPI_File file, void *buffer, int count, MPI_Datatype type, MPI_Status *status) {
  const Access access = fromPointer(file, buffer, count, type, status);
  return accessRead(&access);
}

int MPI_File_read_all(MPI_File file, void *buffer, int count, MPI_Datatype type,
                      MPI_Status *status) {
  return MPI_File_read(file, buffer, count, type, status);
}

int MPI_File_write(MPI_File file, const void *buffer, int count, MPI_Datatype type,
                   MPI_Status *status) {
  const Access access = fromPointer(file, buffer, count, type, status);
  return accessWrite(&access);
}

int MPI_File_write_all(MPI_File file, const void *buffer, int count, MPI_Datatype type,
                       MPI_Status *status) {
  return MPI_File_write(file, buffer, count, type, status);
}

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "twinMpi.h"
#include "types.h"

/** \file
 * Files: the host's, or nowhere.
 */

/** MPI_File points to it. */
struct ADIOI_FileD {
  uint64_t file; /**< its number at the host; 0: nowhere */
  int mode;
  MPI_Offset end;     /**< of what has been written to one that is nowhere */
  MPI_Offset pointer; /**< in elementary datatypes of the view */

  MPI_Offset start;
  Type *element, *tile;
};

/** Calls `visit(with, at, bytes)` for the pieces of the file that hold `bytes` of data from `offset` on, in
 * elementary datatypes of its view, as typesWalk does. */
void viewsWalk(const struct ADIOI_FileD *file, MPI_Offset offset, MPI_Offset bytes, Visit visit,
               void *with);

/** What is read into, or written from, memory. */
typedef struct Access {
  struct ADIOI_FileD *file;
  MPI_Offset offset;
  void *buffer;
  int count;
  MPI_Datatype type;
  MPI_Status *status;
} Access;

/** @{ An error of MPI. */
int accessRead(const Access *access);
int accessWrite(const Access *access);
/** @} */

extern const forerun_twin_host *filesHost;

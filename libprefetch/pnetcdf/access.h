/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <mpi.h>
#include <stddef.h>

/** \file
 * The data of variables: one way for all functions that read or write them, of whatever form, type and mode.
 * Requests that do not block are made at once, so that there are none to wait for.
 */

typedef enum Shape { ShapeVar, ShapeVar1, ShapeVara, ShapeVars, ShapeVarn } Shape;

/** What a call reads or writes; of arguments that its form does not have, NULL. How the data lies in memory
 * does not count. */
typedef struct Access {
  Shape shape;
  int ncid, variable;
  const MPI_Offset *start, *count, *stride;
  int number; /**< of parts */
  MPI_Offset *const *starts, *const *counts;
} Access;

/** @{ What PnetCDF answers. */

/** The program will read it, and nobody needs its values. */
int accessAnnounce(const Access *access);
/** The program will write it. */
int accessDirty(const Access *access);

/** @} */

/** Where data is put in memory. */
typedef struct Target {
  void *to;
  size_t elementBytes;   /**< 0: as MPI's datatype says */
  MPI_Datatype type;     /**< of the program's own MPI */
  const MPI_Offset *map; /**< NULL, or how far elements are apart, by dimension */
} Target;

/** Before values are read that are needed: ends the thread where they may not be put there, and where the twin
 * cannot read them; waits for what the program still writes before it reads them. */
void accessBegin(const Access *access, const Target *target);
/** After it. Returns `rc`. */
int accessEnd(const Access *access, int rc);
/** The same for a request, which it completes. */
int accessComplete(const Access *access, int rc, int request);

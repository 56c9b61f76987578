/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/** \file
 * What the twin has open, by PnetCDF's number for it.
 */

typedef struct File {
  uint64_t file; /**< its number at the host; 0: nowhere */
  char *path;    /**< as the program has it */
  bool isWritable;
  int ranks;          /**< that have it open together */
  bool hasHints;      /**< the program's own, which the twin does not know */
  bool hasRecords;    /**< the program has written some: another process may have written more */
  bool hasAttributes; /**< the program has written some, whose values the twin does not have */
} File;

/** NULL: there is none. */
File *filesFind(int ncid);

/** PnetCDF writes a header, or fills variables. Returns `rc`. */
int filesWritten(int rc);

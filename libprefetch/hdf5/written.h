/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_HDF5_WRITTEN_H
#define FORERUN_HDF5_WRITTEN_H

#include <stddef.h>
#include <stdint.h>

/** \file
 * Metadata that the twin has written to a file, which is in no file: pages, in memory. So the twin goes
 * on as the program does, which creates groups and data sets, and nobody else sees it.
 */

enum { kPageBytes = 4096, kPageSlots = 1024 };

typedef struct WrittenPage {
  struct WrittenPage *next; /**< in its slot */
  uint64_t number;
  char bytes[kPageBytes];
} WrittenPage;

typedef struct Written {
  WrittenPage *slots[kPageSlots];
  size_t pages;
} Written;

/** NULL: nothing has been written there. */
WrittenPage *writtenFind(Written *in, uint64_t number);
/** A page with zeros that is not there yet; NULL: there are too many. */
WrittenPage *writtenAdd(Written *in, uint64_t number);
void writtenForget(Written *in);

#endif

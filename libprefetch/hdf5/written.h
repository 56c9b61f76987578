/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** \file
 * Metadata that the twin has written to a file, which is in no file: pages, in memory. So the twin goes
 * on as the program does, which creates groups and data sets, and nobody else sees it. Each byte has a
 * mark: what lies beside it is the file's, and is not read for it.
 */

enum { kPageSlots = 1024 };

typedef struct WrittenPage WrittenPage;

typedef struct Written {
  WrittenPage *slots[kPageSlots];
  size_t pages;
} Written;

/** False: there is too much of it. */
bool writtenPut(Written *in, uint64_t offset, size_t bytes, const char *from);
/** Whether all of these bytes have been written. */
bool writtenHolds(const Written *in, uint64_t offset, size_t bytes);
/** Those of these bytes that have been written. */
void writtenCopy(const Written *in, uint64_t offset, size_t bytes, char *to);
void writtenForget(Written *in);

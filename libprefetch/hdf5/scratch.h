/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/** \file
 * Where the twin's HDF5 puts what it believes to have read: addresses, of which hardly any memory
 * is ever touched (driver.c). One buffer, for one thread.
 */

enum {
  /** What one H5Dread is given at most: fill values do get written there. */
  kScratchBytes = 4 << 20
};

/** As many bytes, zeros at first; valid until the next call. NULL: there are no addresses. */
void *scratchTake(size_t bytes);
/** Whether `buffer` lies in it. */
bool scratchHolds(const void *buffer);
/** What has been touched of it is given back to the system. */
void scratchClean(void);

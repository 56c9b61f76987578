/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/** \file
 * Files that HDF5 itself opens: targets of external links, sources of virtual data sets. The program's HDF5 opens them
 * by MPI-IO in the middle of a call for which no pre-execution thread waits. So which open of MPI-IO it is shows only
 * when the program has come by there: at the first read of raw data the thread waits for that. What comes after
 * it is announced.
 */

typedef struct PendingOpen {
  char *name;
  uint64_t file;           /**< as the host gave it last; 0: it has not been found */
  unsigned long awaitedIn; /**< the call; 0: none */
} PendingOpen;

/** Raw data is read for one more call of the program's. */
void pendingOpenNextCall(void);
/** The open that the program has of it; 0: none, or none yet. */
uint64_t pendingOpenFind(PendingOpen *of);
/** As pendingOpenFind, for raw data: waits if there is none yet, and if it has been of use to wait. */
uint64_t pendingOpenAwait(PendingOpen *of);

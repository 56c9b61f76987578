/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "reads.h"

/** \file
 * Which chunks with filters the program's HDF5 reads, and which it has in its chunk cache: the twin cannot
 * unpack what it has not read, so that its own caches do not have them. So it reads the same of a shadow: a
 * data set without filters, of the same extent, chunks, type and cache, in a file that is nowhere.
 */

/** Calls `readsChunk` for each chunk that is to be read of the selection. 0, or -1. */
int shadowReads(const Chunked *of, hid_t selection);

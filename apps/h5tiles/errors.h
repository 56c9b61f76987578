/* SPDX-License-Identifier: Apache-2.0 */
#ifndef H5TILES_ERRORS_H
#define H5TILES_ERRORS_H

/** \file
 * What happens on failure.
 */

#include <stddef.h>

/** All ranks call it together. If it failed on one of them, the first such rank says "cannot WHAT
 * NAME", with the reason if HDF5 has one, and all ranks end. */
void must(int good, const char *what, const char *name);

/** All ranks call it together: memory for that many elements, all 0, to be freed. */
void *memoryFor(size_t count, size_t bytes, const char *name);

#endif

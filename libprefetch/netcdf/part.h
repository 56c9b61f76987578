/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>

/** \file
 * What a call reads or writes: a part of a variable. netCDF itself finds out which bytes of the file they are, and calls
 * HDF5's twin for them: it is given memory at which nobody looks, and elements as they are in the file, since
 * into what they are converted decides on nothing.
 */

typedef struct Part {
  int file, variable;
  /** @{ As netCDF's functions get them. NULL: all of the variable, each element, one after the other in memory. */
  const size_t *start, *count;
  const ptrdiff_t *stride, *map;
  /** @} */
} Part;

/** One element. */
Part partAt(int file, int variable, const size_t *index);

/** The program will read it. `to` is NULL: nobody needs the values here, and it is announced, with what netCDF gives
 * back as result. Else the thread ends if the slice may not write it to `to`, in elements of so many bytes. */
int partReads(const Part *part, size_t elementBytes, void *to);
/** The program will write it. What netCDF gives back. */
int partWrites(const Part *part);
/** Of an element as it is in the file: 0 for what netCDF will refuse. */
size_t partElementBytes(int file, int variable);

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_NETCDF_SHAPE_H
#define FORERUN_NETCDF_SHAPE_H

#include <netcdf.h>
#include <stddef.h>

/** \file
 * How much memory a call that reads or writes a variable has to do with. 0 for what netCDF will refuse.
 */

/** Elements of the variable, or of that part of it. NULL: all. */
size_t shapeElements(int file, int variable, const size_t *count);
/** From the first to the last element in memory where they lie `map` apart. */
size_t shapeExtent(int file, int variable, const size_t *count, const ptrdiff_t *map);
/** Of an element as it is in the file: the memory of calls that do not name a type. */
size_t shapeElementBytes(int file, int variable);

#endif

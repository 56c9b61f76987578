/* SPDX-License-Identifier: Apache-2.0 */
#include "shape.h"

static size_t lengthOf(int file, int dimension) {
  size_t length = 0;
  return nc_inq_dimlen(file, dimension, &length) == NC_NOERR ? length : 0;
}

/** Of the variable: how many, and which; -1: there is no such variable. */
static int dimensionsOf(int file, int variable, int dimensions[NC_MAX_VAR_DIMS]) {
  int count = 0;
  if (nc_inq_varndims(file, variable, &count) != NC_NOERR || count > NC_MAX_VAR_DIMS ||
      nc_inq_vardimid(file, variable, dimensions) != NC_NOERR)
    return -1;
  return count;
}

size_t shapeElements(int file, int variable, const size_t *count) {
  int dimensions[NC_MAX_VAR_DIMS];
  const int rank = dimensionsOf(file, variable, dimensions);
  size_t elements = rank < 0 ? 0 : 1;
  for (int d = 0; d < rank; d++)
    elements *= count != NULL ? count[d] : lengthOf(file, dimensions[d]);
  return elements;
}

size_t shapeExtent(int file, int variable, const size_t *count, const ptrdiff_t *map) {
  int dimensions[NC_MAX_VAR_DIMS];
  const int rank = dimensionsOf(file, variable, dimensions);
  size_t last = 0;
  if (map == NULL)
    return shapeElements(file, variable, count);
  for (int d = 0; d < rank; d++) {
    const size_t elements = count != NULL ? count[d] : lengthOf(file, dimensions[d]);
    if (elements == 0)
      return 0;
    last += (elements - 1) * (size_t)map[d];
  }
  return rank < 0 ? 0 : last + 1;
}

size_t shapeElementBytes(int file, int variable) {
  nc_type type = NC_NAT;
  size_t bytes = 0;
  return nc_inq_vartype(file, variable, &type) == NC_NOERR &&
                 nc_inq_type(file, type, NULL, &bytes) == NC_NOERR
             ? bytes
             : 0;
}

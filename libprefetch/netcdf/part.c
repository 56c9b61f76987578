/* SPDX-License-Identifier: Apache-2.0 */
#include "part.h"

#include "files.h"
#include "module.h"
#include "scratch.h"

#include <netcdf.h>

static size_t lengthOf(int file, int dimension) {
  size_t length = 0;
  return nc_inq_dimlen(file, dimension, &length) == NC_NOERR ? length : 0;
}

static size_t countOf(const Part *part, int d, const int *dimensions) {
  return part->count != NULL ? part->count[d] : lengthOf(part->file, dimensions[d]);
}

/** From the first to the last element in memory. 0 for what netCDF will refuse. */
static size_t extent(const Part *part) {
  int dimensions[NC_MAX_VAR_DIMS], rank = 0;
  if (nc_inq_varndims(part->file, part->variable, &rank) != NC_NOERR ||
      nc_inq_vardimid(part->file, part->variable, dimensions) != NC_NOERR)
    return 0;
  size_t elements = 1, last = 0;
  for (int d = 0; d < rank; d++) {
    const size_t count = countOf(part, d, dimensions);
    elements *= count;
    last += part->map != NULL && count > 0 ? (count - 1) * (size_t)part->map[d] : 0;
  }
  return part->map == NULL || elements == 0 ? elements : last + 1;
}

Part partAt(int file, int variable, const size_t *index) {
  static size_t ones[NC_MAX_VAR_DIMS];
  for (int d = 0; ones[d] == 0 && d < NC_MAX_VAR_DIMS; d++)
    ones[d] = 1;
  return (Part){file, variable, index, ones, NULL, NULL};
}

size_t partElementBytes(int file, int variable) {
  nc_type type = NC_NAT;
  size_t bytes = 0;
  return nc_inq_vartype(file, variable, &type) == NC_NOERR &&
                 nc_inq_type(file, type, NULL, &bytes) == NC_NOERR
             ? bytes
             : 0;
}

/** One after the other: where they lie in memory is no question here. Some also where netCDF will refuse. */
static void *scratchFor(const Part *part) {
  Part together = *part;
  together.map = NULL;
  return scratchTake(1 + extent(&together) * partElementBytes(part->file, part->variable));
}

static int get(const Part *part, void *to) {
  return part->start == NULL
             ? nc_get_var(part->file, part->variable, to)
             : nc_get_vars(part->file, part->variable, part->start, part->count, part->stride, to);
}

static int put(const Part *part, const void *from) {
  return part->start == NULL ? nc_put_var(part->file, part->variable, from)
                             : nc_put_vars(part->file, part->variable, part->start, part->count,
                                           part->stride, from);
}

static int announce(const Part *part) {
  if (!filesIsDriven(part->file)) /* nothing is to be announced */
    return NC_NOERR;
  void *nobodys = scratchFor(part);
  if (nobodys == NULL)
    return NC_ENOMEM;
  below.isForNobody = true;
  below.isCollective = filesAreReadCollectively(part->file, part->variable);
  const int rc = get(part, nobodys);
  below.isForNobody = false;
  scratchClean();
  return rc;
}

int partReads(const Part *part, size_t elementBytes, void *to) {
  if (to == NULL)
    return announce(part);
  theHost->own(theHost->context, to, extent(part) * elementBytes);
  return NC_NOERR;
}

/** Whether it ends behind a dimension's end. Of a fixed one netCDF refuses that. */
static bool goesBeyond(const Part *part) {
  int dimensions[NC_MAX_VAR_DIMS], rank = 0;
  if (part->start == NULL || nc_inq_varndims(part->file, part->variable, &rank) != NC_NOERR ||
      nc_inq_vardimid(part->file, part->variable, dimensions) != NC_NOERR)
    return false;
  for (int d = 0; d < rank; d++) {
    const size_t count = countOf(part, d, dimensions);
    const size_t stride = part->stride != NULL ? (size_t)part->stride[d] : 1;
    if (count > 0 && part->start[d] + (count - 1) * stride >= lengthOf(part->file, dimensions[d]))
      return true;
  }
  return false;
}

int partWrites(const Part *part) {
  if (!filesIsDriven(part->file))
    return NC_NOERR;
  void *nobodys = scratchFor(part);
  if (nobodys == NULL)
    return NC_ENOMEM;
  static const size_t kNothing[NC_MAX_VAR_DIMS];
  Part written = *part;
  const bool isRefused = !filesMayExtend(part->file, part->variable) && goesBeyond(part);
  if (isRefused) /* it may be for another reason */
    written.count = kNothing;
  const int rc = put(&written, nobodys);
  scratchClean();
  return rc == NC_NOERR && isRefused ? NC_ECANTEXTEND : rc;
}

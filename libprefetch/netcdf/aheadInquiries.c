/* SPDX-License-Identifier: Apache-2.0 */
#include "module.h"
#include "part.h"

#include <netcdf.h>
#include <netcdf_filter.h>
#include <stddef.h>

/** \file
 * What a pre-execution thread calls in place of netCDF's functions that give more than one element, of which no argument
 * says how many: whether the slice may write all of them is asked before.
 */

static void owns(void *to, int rc, size_t count, size_t elementBytes) {
  if (to != NULL && rc == NC_NOERR)
    theHost->own(theHost->context, to, count * elementBytes);
}

/** Functions that give a number of identifiers, and the identifiers. */
#define COUNTED(name, countType, idType)                                                           \
  FORERUN_EXPORT int forerun_twin_nc_##name(int file, countType *count, idType *ids) {             \
    countType there = 0;                                                                           \
    owns(ids, nc_##name(file, &there, NULL), (size_t)there, sizeof *ids);                          \
    return nc_##name(file, count, ids);                                                            \
  }
COUNTED(inq_grps, int, int)
COUNTED(inq_varids, int, int)
COUNTED(inq_typeids, int, int)
COUNTED(inq_unlimdims, int, int)

FORERUN_EXPORT int forerun_twin_nc_inq_dimids(int file, int *count, int *ids, int withParents) {
  int there = 0;
  owns(ids, nc_inq_dimids(file, &there, NULL, withParents), (size_t)there, sizeof *ids);
  return nc_inq_dimids(file, count, ids, withParents);
}

static void ownsForEachDimension(int file, int variable, void *to, size_t elementBytes) {
  int rank = 0;
  owns(to, nc_inq_varndims(file, variable, &rank), (size_t)rank, elementBytes);
}

FORERUN_EXPORT int forerun_twin_nc_inq_vardimid(int file, int variable, int *dimensions) {
  ownsForEachDimension(file, variable, dimensions, sizeof *dimensions);
  return nc_inq_vardimid(file, variable, dimensions);
}

FORERUN_EXPORT int forerun_twin_nc_inq_var(int file, int variable, char *name, nc_type *type,
                                           int *rank, int *dimensions, int *attributes) {
  ownsForEachDimension(file, variable, dimensions, sizeof *dimensions);
  return nc_inq_var(file, variable, name, type, rank, dimensions, attributes);
}

FORERUN_EXPORT int forerun_twin_nc_inq_var_chunking(int file, int variable, int *storage,
                                                    size_t *lengths) {
  ownsForEachDimension(file, variable, lengths, sizeof *lengths);
  return nc_inq_var_chunking(file, variable, storage, lengths);
}

FORERUN_EXPORT int forerun_twin_nc_inq_var_fill(int file, int variable, int *isOff, void *value) {
  owns(value, NC_NOERR, 1, partElementBytes(file, variable));
  return nc_inq_var_fill(file, variable, isOff, value);
}

static void ownsForEachDimensionOf(int file, nc_type type, int field, int *lengths) {
  int rank = 0;
  owns(lengths, nc_inq_compound_fieldndims(file, type, field, &rank), (size_t)rank,
       sizeof *lengths);
}

FORERUN_EXPORT int forerun_twin_nc_inq_compound_field(int file, nc_type type, int field, char *name,
                                                      size_t *offset, nc_type *of, int *rank,
                                                      int *lengths) {
  ownsForEachDimensionOf(file, type, field, lengths);
  return nc_inq_compound_field(file, type, field, name, offset, of, rank, lengths);
}

FORERUN_EXPORT int forerun_twin_nc_inq_compound_fielddim_sizes(int file, nc_type type, int field,
                                                               int *lengths) {
  ownsForEachDimensionOf(file, type, field, lengths);
  return nc_inq_compound_fielddim_sizes(file, type, field, lengths);
}

FORERUN_EXPORT int forerun_twin_nc_inq_enum_member(int file, nc_type type, int member, char *name,
                                                   void *value) {
  size_t bytes = 0;
  owns(value, nc_inq_type(file, type, NULL, &bytes), 1, bytes);
  return nc_inq_enum_member(file, type, member, name, value);
}

FORERUN_EXPORT int forerun_twin_nc_inq_var_filter(int file, int variable, unsigned *filter,
                                                  size_t *count, unsigned *parameters) {
  size_t there = 0;
  owns(parameters, nc_inq_var_filter(file, variable, NULL, &there, NULL), there,
       sizeof *parameters);
  return nc_inq_var_filter(file, variable, filter, count, parameters);
}

FORERUN_EXPORT int forerun_twin_nc_inq_var_filter_ids(int file, int variable, size_t *count,
                                                      unsigned *filters) {
  size_t there = 0;
  owns(filters, nc_inq_var_filter_ids(file, variable, &there, NULL), there, sizeof *filters);
  return nc_inq_var_filter_ids(file, variable, count, filters);
}

FORERUN_EXPORT int forerun_twin_nc_inq_var_filter_info(int file, int variable, unsigned filter,
                                                       size_t *count, unsigned *parameters) {
  size_t there = 0;
  owns(parameters, nc_inq_var_filter_info(file, variable, filter, &there, NULL), there,
       sizeof *parameters);
  return nc_inq_var_filter_info(file, variable, filter, count, parameters);
}

FORERUN_EXPORT int forerun_twin_nc_get_vlen_element(int file, int type, const void *element,
                                                    size_t *length, void *to) {
  nc_type of = NC_NAT;
  size_t bytes = 0;
  if (nc_inq_user_type(file, type, NULL, NULL, &of, NULL, NULL) == NC_NOERR)
    owns(to, nc_inq_type(file, of, NULL, &bytes), ((const nc_vlen_t *)element)->len, bytes);
  return nc_get_vlen_element(file, type, element, length, to);
}

FORERUN_EXPORT int forerun_twin_nc_copy_data(int file, nc_type type, const void *from, size_t count,
                                             void *to) {
  size_t bytes = 0;
  owns(to, nc_inq_type(file, type, NULL, &bytes), count, bytes);
  return nc_copy_data(file, type, from, count, to);
}

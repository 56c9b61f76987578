/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"
#include "module.h"
#include "scratch.h"
#include "types.h"

#include <netcdf.h>
#include <stddef.h>

/** \file
 * What a pre-execution thread calls in place of netCDF's functions that read and write attributes. They are read as they
 * are. Those that the program writes are there in the twin, too, with zeros for values: the slice has none.
 */

static void owns(int file, int variable, const char *name, size_t elementBytes, void *to) {
  size_t length = 0;
  filesNeedsAttribute(file);
  if (nc_inq_attlen(file, variable, name, &length) == NC_NOERR)
    theHost->own(theHost->context, to, length * elementBytes);
}

#define READS(name, type)                                                                          \
  FORERUN_EXPORT int forerun_twin_nc_get_att_##name(int file, int variable, const char *called,    \
                                                    type *to) {                                    \
    if (to == NULL)                                                                                \
      return NC_NOERR;                                                                             \
    owns(file, variable, called, sizeof(type), (void *)to);                                        \
    return nc_get_att_##name(file, variable, called, to);                                          \
  }
FOR_ALL_TYPES(READS)

FORERUN_EXPORT int forerun_twin_nc_get_att(int file, int variable, const char *called, void *to) {
  nc_type type = NC_NAT;
  size_t bytes = 0;
  if (to == NULL)
    return NC_NOERR;
  if (nc_inq_atttype(file, variable, called, &type) == NC_NOERR)
    nc_inq_type(file, type, NULL, &bytes);
  owns(file, variable, called, bytes, to);
  return nc_get_att(file, variable, called, to);
}

static int writes(int file, int variable, const char *called, nc_type type, size_t length) {
  size_t bytes = 0;
  const int rc = nc_inq_type(file, type, NULL, &bytes);
  if (rc != NC_NOERR)
    return rc;
  const void *zeros = scratchTake(1 + length * bytes);
  filesLacksAttributes(file);
  return zeros == NULL ? NC_ENOMEM : nc_put_att(file, variable, called, type, length, zeros);
}

#define WRITES(name, type)                                                                         \
  FORERUN_EXPORT int forerun_twin_nc_put_att_##name(                                               \
      int file, int variable, const char *called, nc_type as, size_t length, const type *values) { \
    (void)values;                                                                                  \
    return writes(file, variable, called, as, length);                                             \
  }
FOR_ALL_NUMBERS(WRITES)

FORERUN_EXPORT int forerun_twin_nc_put_att(int file, int variable, const char *called, nc_type as,
                                           size_t length, const void *values) {
  (void)values;
  return writes(file, variable, called, as, length);
}

FORERUN_EXPORT int forerun_twin_nc_put_att_text(int file, int variable, const char *called,
                                                size_t length, const char *values) {
  (void)values;
  return writes(file, variable, called, NC_CHAR, length);
}

FORERUN_EXPORT int forerun_twin_nc_put_att_string(int file, int variable, const char *called,
                                                  size_t length, const char **values) {
  (void)values;
  return writes(file, variable, called, NC_STRING, length);
}

/** It may copy zeros. */
FORERUN_EXPORT int forerun_twin_nc_copy_att(int from, int fromVariable, const char *called, int to,
                                            int toVariable) {
  filesLacksAttributes(to);
  return nc_copy_att(from, fromVariable, called, to, toVariable);
}

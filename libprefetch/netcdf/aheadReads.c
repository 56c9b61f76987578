/* SPDX-License-Identifier: Apache-2.0 */
#include "module.h"
#include "part.h"
#include "types.h"

#include <netcdf.h>

/** \file
 * What a pre-execution thread calls in place of netCDF's functions that read variables.
 */

#define READS(suffix, type, bytes)                                                                 \
  FORERUN_EXPORT int forerun_twin_nc_get_var##suffix(int file, int variable, type *to) {           \
    const Part part = {file, variable, NULL, NULL, NULL, NULL};                                    \
    const int rc = partReads(&part, bytes, (void *)to);                                            \
    return to == NULL ? rc : nc_get_var##suffix(file, variable, to);                               \
  }                                                                                                \
  FORERUN_EXPORT int forerun_twin_nc_get_var1##suffix(int file, int variable, const size_t *index, \
                                                      type *to) {                                  \
    const Part part = partAt(file, variable, index);                                               \
    const int rc = partReads(&part, bytes, (void *)to);                                            \
    return to == NULL ? rc : nc_get_var1##suffix(file, variable, index, to);                       \
  }                                                                                                \
  FORERUN_EXPORT int forerun_twin_nc_get_vara##suffix(int file, int variable, const size_t *start, \
                                                      const size_t *count, type *to) {             \
    const Part part = {file, variable, start, count, NULL, NULL};                                  \
    const int rc = partReads(&part, bytes, (void *)to);                                            \
    return to == NULL ? rc : nc_get_vara##suffix(file, variable, start, count, to);                \
  }                                                                                                \
  FORERUN_EXPORT int forerun_twin_nc_get_vars##suffix(int file, int variable, const size_t *start, \
                                                      const size_t *count,                         \
                                                      const ptrdiff_t *stride, type *to) {         \
    const Part part = {file, variable, start, count, stride, NULL};                                \
    const int rc = partReads(&part, bytes, (void *)to);                                            \
    return to == NULL ? rc : nc_get_vars##suffix(file, variable, start, count, stride, to);        \
  }                                                                                                \
  FORERUN_EXPORT int forerun_twin_nc_get_varm##suffix(                                             \
      int file, int variable, const size_t *start, const size_t *count, const ptrdiff_t *stride,   \
      const ptrdiff_t *map, type *to) {                                                            \
    const Part part = {file, variable, start, count, stride, map};                                 \
    const int rc = partReads(&part, bytes, (void *)to);                                            \
    return to == NULL ? rc : nc_get_varm##suffix(file, variable, start, count, stride, map, to);   \
  }

READS(, void, partElementBytes(file, variable))

#define READS_OF(name, type) READS(_##name, type, sizeof(type))
FOR_ALL_TYPES(READS_OF)

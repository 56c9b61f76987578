/* SPDX-License-Identifier: Apache-2.0 */
#include "module.h"
#include "part.h"
#include "types.h"

#include <netcdf.h>

/** \file
 * What a pre-execution thread calls in place of netCDF's functions that write variables: where the program will
 * write is dirty until it has, and an unlimited dimension grows.
 */

#define WRITES(suffix, type)                                                                       \
  FORERUN_EXPORT int forerun_twin_nc_put_var##suffix(int file, int variable, const type *from) {   \
    const Part part = {file, variable, NULL, NULL, NULL, NULL};                                    \
    (void)from;                                                                                    \
    return partWrites(&part);                                                                      \
  }                                                                                                \
  FORERUN_EXPORT int forerun_twin_nc_put_var1##suffix(int file, int variable, const size_t *index, \
                                                      const type *from) {                          \
    const Part part = partAt(file, variable, index);                                               \
    (void)from;                                                                                    \
    return partWrites(&part);                                                                      \
  }                                                                                                \
  FORERUN_EXPORT int forerun_twin_nc_put_vara##suffix(int file, int variable, const size_t *start, \
                                                      const size_t *count, const type *from) {     \
    const Part part = {file, variable, start, count, NULL, NULL};                                  \
    (void)from;                                                                                    \
    return partWrites(&part);                                                                      \
  }                                                                                                \
  FORERUN_EXPORT int forerun_twin_nc_put_vars##suffix(int file, int variable, const size_t *start, \
                                                      const size_t *count,                         \
                                                      const ptrdiff_t *stride, const type *from) { \
    const Part part = {file, variable, start, count, stride, NULL};                                \
    (void)from;                                                                                    \
    return partWrites(&part);                                                                      \
  }                                                                                                \
  FORERUN_EXPORT int forerun_twin_nc_put_varm##suffix(                                             \
      int file, int variable, const size_t *start, const size_t *count, const ptrdiff_t *stride,   \
      const ptrdiff_t *map, const type *from) {                                                    \
    const Part part = {file, variable, start, count, stride, map};                                 \
    (void)from;                                                                                    \
    return partWrites(&part);                                                                      \
  }

WRITES(, void)

#define WRITES_OF(name, type) WRITES(_##name, type)
FOR_ALL_TYPES(WRITES_OF)

/* SPDX-License-Identifier: Apache-2.0 */
#include "data.h"
#include "module.h"
#include "shape.h"

#include <netcdf.h>

/** \file
 * What a pre-execution thread calls in place of netCDF's functions that read variables.
 */

#define READ(elements, bytes, call)                                                                \
  {                                                                                                \
    const Data data = dataToRead(file, elements, bytes, to);                                       \
    return data.memory == NULL ? data.rc : dataEnds(&data, call);                                  \
  }

#define READS(name, type)                                                                          \
  FORERUN_EXPORT int forerun_twin_nc_get_var_##name(int file, int variable, type *to) READ(        \
      shapeElements(file, variable, NULL), sizeof(type),                                           \
      nc_get_var_##name(file, variable, data.memory))                                              \
      FORERUN_EXPORT int forerun_twin_nc_get_var1_##name(int file, int variable,                   \
                                                         const size_t *index, type *to)            \
          READ(1, sizeof(type), nc_get_var1_##name(file, variable, index, data.memory))            \
              FORERUN_EXPORT int forerun_twin_nc_get_vara_##name(                                  \
                  int file, int variable, const size_t *start, const size_t *count,                \
                  type *to) READ(shapeElements(file, variable, count), sizeof(type),               \
                                 nc_get_vara_##name(file, variable, start, count, data.memory))    \
                  FORERUN_EXPORT int forerun_twin_nc_get_vars_##name(                              \
                      int file, int variable, const size_t *start, const size_t *count,            \
                      const ptrdiff_t *stride, type *to)                                           \
                      READ(shapeElements(file, variable, count), sizeof(type),                     \
                           nc_get_vars_##name(file, variable, start, count, stride, data.memory))  \
                          FORERUN_EXPORT int forerun_twin_nc_get_varm_##name(                      \
                              int file, int variable, const size_t *start, const size_t *count,    \
                              const ptrdiff_t *stride, const ptrdiff_t *map, type *to)             \
                              READ(shapeExtent(file, variable, count, map), sizeof(type),          \
                                   nc_get_varm_##name(file, variable, start, count, stride, map,   \
                                                      data.memory))
FOR_ALL_TYPES(READS)

FORERUN_EXPORT int forerun_twin_nc_get_var(int file, int variable, void *to)
    READ(shapeElements(file, variable, NULL), shapeElementBytes(file, variable),
         nc_get_var(file, variable, data.memory)) FORERUN_EXPORT
    int forerun_twin_nc_get_var1(int file, int variable, const size_t *index, void *to)
        READ(1, shapeElementBytes(file, variable),
             nc_get_var1(file, variable, index, data.memory)) FORERUN_EXPORT
    int forerun_twin_nc_get_vara(int file, int variable, const size_t *start, const size_t *count,
                                 void *to)
        READ(shapeElements(file, variable, count), shapeElementBytes(file, variable),
             nc_get_vara(file, variable, start, count, data.memory)) FORERUN_EXPORT
    int forerun_twin_nc_get_vars(int file, int variable, const size_t *start, const size_t *count,
                                 const ptrdiff_t *stride, void *to)
        READ(shapeElements(file, variable, count), shapeElementBytes(file, variable),
             nc_get_vars(file, variable, start, count, stride, data.memory)) FORERUN_EXPORT
    int forerun_twin_nc_get_varm(int file, int variable, const size_t *start, const size_t *count,
                                 const ptrdiff_t *stride, const ptrdiff_t *map, void *to)
        READ(shapeExtent(file, variable, count, map), shapeElementBytes(file, variable),
             nc_get_varm(file, variable, start, count, stride, map, data.memory))

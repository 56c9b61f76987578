/* SPDX-License-Identifier: Apache-2.0 */
#include "data.h"
#include "module.h"
#include "shape.h"

#include <netcdf.h>

/** \file
 * What a pre-execution thread calls in place of netCDF's functions that write variables: where the program will
 * write is dirty until it has, and an unlimited dimension grows.
 */

#define WRITE(elements, bytes, call)                                                               \
  {                                                                                                \
    (void)from;                                                                                    \
    const Data data = dataToWrite(file, elements, bytes);                                          \
    return data.memory == NULL ? data.rc : dataEnds(&data, call);                                  \
  }

#define WRITES(name, type)                                                                         \
  FORERUN_EXPORT int forerun_twin_nc_put_var_##name(int file, int variable, const type *from)      \
      WRITE(shapeElements(file, variable, NULL), sizeof(type),                                     \
            nc_put_var_##name(file, variable, data.memory))                                        \
          FORERUN_EXPORT int forerun_twin_nc_put_var1_##name(                                      \
              int file, int variable, const size_t *index, const type *from)                       \
              WRITE(1, sizeof(type), nc_put_var1_##name(file, variable, index, data.memory))       \
                  FORERUN_EXPORT int forerun_twin_nc_put_vara_##name(                              \
                      int file, int variable, const size_t *start, const size_t *count,            \
                      const type *from)                                                            \
                      WRITE(shapeElements(file, variable, count), sizeof(type),                    \
                            nc_put_vara_##name(file, variable, start, count, data.memory))         \
                          FORERUN_EXPORT int forerun_twin_nc_put_vars_##name(                      \
                              int file, int variable, const size_t *start, const size_t *count,    \
                              const ptrdiff_t *stride, const type *from)                           \
                              WRITE(shapeElements(file, variable, count), sizeof(type),            \
                                    nc_put_vars_##name(file, variable, start, count, stride,       \
                                                       data.memory))                               \
                                  FORERUN_EXPORT int forerun_twin_nc_put_varm_##name(              \
                                      int file, int variable, const size_t *start,                 \
                                      const size_t *count, const ptrdiff_t *stride,                \
                                      const ptrdiff_t *map, const type *from)                      \
                                      WRITE(shapeExtent(file, variable, count, map), sizeof(type), \
                                            nc_put_varm_##name(file, variable, start, count,       \
                                                               stride, map, data.memory))
FOR_ALL_TYPES(WRITES)

FORERUN_EXPORT int forerun_twin_nc_put_var(int file, int variable, const void *from)
    WRITE(shapeElements(file, variable, NULL), shapeElementBytes(file, variable),
          nc_put_var(file, variable, data.memory)) FORERUN_EXPORT
    int forerun_twin_nc_put_var1(int file, int variable, const size_t *index, const void *from)
        WRITE(1, shapeElementBytes(file, variable),
              nc_put_var1(file, variable, index, data.memory)) FORERUN_EXPORT
    int forerun_twin_nc_put_vara(int file, int variable, const size_t *start, const size_t *count,
                                 const void *from)
        WRITE(shapeElements(file, variable, count), shapeElementBytes(file, variable),
              nc_put_vara(file, variable, start, count, data.memory)) FORERUN_EXPORT
    int forerun_twin_nc_put_vars(int file, int variable, const size_t *start, const size_t *count,
                                 const ptrdiff_t *stride, const void *from)
        WRITE(shapeElements(file, variable, count), shapeElementBytes(file, variable),
              nc_put_vars(file, variable, start, count, stride, data.memory)) FORERUN_EXPORT
    int forerun_twin_nc_put_varm(int file, int variable, const size_t *start, const size_t *count,
                                 const ptrdiff_t *stride, const ptrdiff_t *map, const void *from)
        WRITE(shapeExtent(file, variable, count, map), shapeElementBytes(file, variable),
              nc_put_varm(file, variable, start, count, stride, map, data.memory))

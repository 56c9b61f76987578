/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_NETCDF_DATA_H
#define FORERUN_NETCDF_DATA_H

#include <stdbool.h>
#include <stddef.h>

/** \file
 * A call of netCDF that reads or writes data, on its way through the twin: netCDF itself finds out which bytes of the
 * file they are, and calls HDF5's twin for them. It always gets memory, which may be nobody's.
 */

typedef struct Data {
  void *memory; /**< NULL: netCDF is not to be called, the call's result is `rc` */
  int rc;
  bool isNobodys;
} Data;

/** `to`: where the slice needs the values, NULL: nowhere. */
Data dataToRead(int file, size_t elements, size_t elementBytes, void *to);
/** Of a write, whose values the twin does not have. */
Data dataToWrite(int file, size_t elements, size_t elementBytes);
/** After the call, with its result, which is returned. */
int dataEnds(const Data *data, int rc);

/** The data types by which netCDF's functions are named. */
#define FOR_ALL_TYPES(X)                                                                           \
  X(text, char)                                                                                    \
  X(schar, signed char)                                                                            \
  X(uchar, unsigned char)                                                                          \
  X(ubyte, unsigned char)                                                                          \
  X(short, short)                                                                                  \
  X(ushort, unsigned short)                                                                        \
  X(int, int)                                                                                      \
  X(uint, unsigned int)                                                                            \
  X(long, long)                                                                                    \
  X(longlong, long long)                                                                           \
  X(ulonglong, unsigned long long)                                                                 \
  X(float, float)                                                                                  \
  X(double, double)                                                                                \
  X(string, char *)

#endif

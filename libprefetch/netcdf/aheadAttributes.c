/* SPDX-License-Identifier: Apache-2.0 */
#include "data.h"
#include "module.h"

#include <netcdf.h>

/** \file
 * What a pre-execution thread calls in place of netCDF's functions that read and write attributes. A file's attributes
 * are in netCDF's memory when they have been looked at; of one that the program writes the slice has no values, so
 * the thread ends where it needs an attribute of a file after that.
 */

enum { kMostFiles = 64 };
static int written[kMostFiles], writtenFiles;

static bool lacksAttributes(int file) {
  for (int i = 0; i < writtenFiles; i++)
    if (written[i] == (file >> 16)) /* of all its groups */
      return true;
  return writtenFiles == kMostFiles;
}

static int writes(int file) {
  if (!lacksAttributes(file))
    written[writtenFiles++] = file >> 16;
  return NC_NOERR;
}

static void own(int file, int variable, const char *name, size_t elementBytes, void *to) {
  size_t length = 0;
  if (lacksAttributes(file))
    theHost->end(theHost->context,
                 "it needs an attribute of a file that the program has written to");
  if (nc_inq_attlen(file, variable, name, &length) == NC_NOERR)
    theHost->own(theHost->context, to, length * elementBytes);
}

#define ATTRIBUTES(name, type)                                                                     \
  FORERUN_EXPORT int forerun_twin_nc_get_att_##name(int file, int variable, const char *called,    \
                                                    type *to) {                                    \
    if (to == NULL)                                                                                \
      return NC_NOERR;                                                                             \
    own(file, variable, called, sizeof(type), to);                                                 \
    return nc_get_att_##name(file, variable, called, to);                                          \
  }
FOR_ALL_TYPES(ATTRIBUTES)

FORERUN_EXPORT int forerun_twin_nc_get_att(int file, int variable, const char *called, void *to) {
  nc_type type = NC_NAT;
  size_t bytes = 0;
  if (to == NULL)
    return NC_NOERR;
  if (nc_inq_atttype(file, variable, called, &type) == NC_NOERR)
    nc_inq_type(file, type, NULL, &bytes);
  own(file, variable, called, bytes, to);
  return nc_get_att(file, variable, called, to);
}

#define TYPED(name, type)                                                                          \
  FORERUN_EXPORT int forerun_twin_nc_put_att_##name(                                               \
      int file, int variable, const char *called, nc_type as, size_t length, const type *values) { \
    (void)variable, (void)called, (void)as, (void)length, (void)values;                            \
    return writes(file);                                                                           \
  }
TYPED(schar, signed char)
TYPED(uchar, unsigned char)
TYPED(ubyte, unsigned char)
TYPED(short, short)
TYPED(ushort, unsigned short)
TYPED(int, int)
TYPED(uint, unsigned int)
TYPED(long, long)
TYPED(longlong, long long)
TYPED(ulonglong, unsigned long long)
TYPED(float, float)
TYPED(double, double)

FORERUN_EXPORT int forerun_twin_nc_put_att(int file, int variable, const char *called, nc_type as,
                                           size_t length, const void *values) {
  (void)variable, (void)called, (void)as, (void)length, (void)values;
  return writes(file);
}

FORERUN_EXPORT int forerun_twin_nc_put_att_text(int file, int variable, const char *called,
                                                size_t length, const char *values) {
  (void)variable, (void)called, (void)length, (void)values;
  return writes(file);
}

FORERUN_EXPORT int forerun_twin_nc_put_att_string(int file, int variable, const char *called,
                                                  size_t length, const char **values) {
  (void)variable, (void)called, (void)length, (void)values;
  return writes(file);
}

FORERUN_EXPORT int forerun_twin_nc_copy_att(int from, int fromVariable, const char *called, int to,
                                            int toVariable) {
  (void)from, (void)fromVariable, (void)called, (void)toVariable;
  return writes(to);
}

FORERUN_EXPORT int forerun_twin_nc_copy_var(int from, int variable, int to) {
  (void)from, (void)variable, (void)to;
  theHost->end(theHost->context, "it copies a variable from one netCDF file to another");
  return NC_EPERM;
}

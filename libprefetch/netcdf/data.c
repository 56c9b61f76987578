/* SPDX-License-Identifier: Apache-2.0 */
#include "data.h"

#include "caller.h"
#include "module.h"
#include "scratch.h"

#include <netcdf.h>

/** Files that HDF5's driver serves: any other is read as it is, and so not for nothing. */
static bool isDriven(int file) {
  int format = 0;
  return nc_inq_format_extended(file, &format, NULL) == NC_NOERR && format == NC_FORMATX_NC_HDF5;
}

static Data nobodys(size_t elements, size_t elementBytes) {
  const size_t bytes = elements * elementBytes;
  void *memory = scratchTake(bytes);
  if (memory == NULL)
    return (Data){NULL, NC_ENOMEM, false};
  forerun_hdf5_reads_for(memory, bytes);
  return (Data){memory, NC_NOERR, true};
}

Data dataToRead(int file, size_t elements, size_t elementBytes, void *to) {
  if (to != NULL) {
    theHost->own(theHost->context, to, elements * elementBytes);
    return (Data){to, NC_NOERR, false};
  }
  return isDriven(file) ? nobodys(elements, elementBytes) : (Data){NULL, NC_NOERR, false};
}

Data dataToWrite(int file, size_t elements, size_t elementBytes) {
  if (!isDriven(file))
    return (Data){NULL, NC_NOERR, false};
  return nobodys(elements, elementBytes);
}

int dataEnds(const Data *data, int rc) {
  if (data->isNobodys) {
    forerun_hdf5_reads_for(NULL, 0);
    scratchClean();
  }
  return rc;
}

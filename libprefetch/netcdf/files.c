/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include "module.h"

#include <netcdf.h>
#include <netcdf_filter.h>
#include <stdlib.h>

/** netCDF has 2^16 groups in a file, and as many files: their numbers are in those of the groups. */
enum { kGroupBits = 16, kFiles = 1 << 15 };

static unsigned numberOf(int file) { return (unsigned)file >> kGroupBits; }

static bool lacksAttributes[kFiles], isParallel[kFiles], isNew[kFiles];

/** What has been said, the latest last. */
typedef struct Said {
  int file, variable;
  bool collectively;
} Said;
static Said *said;
static size_t saidCount;

void filesAdd(int file) {
  const unsigned number = numberOf(file);
  size_t kept = 0;
  if (number < kFiles)
    lacksAttributes[number] = isParallel[number] = isNew[number] = false;
  for (size_t i = 0; i < saidCount; i++)
    if (numberOf(said[i].file) != number)
      said[kept++] = said[i];
  saidCount = kept;
}

bool filesIsDriven(int file) {
  int format = 0;
  return nc_inq_format_extended(file, &format, NULL) == NC_NOERR && format == NC_FORMATX_NC_HDF5;
}

void filesIsOpenInParallel(int file, bool isCreated) {
  if (numberOf(file) < kFiles) {
    isParallel[numberOf(file)] = true;
    isNew[numberOf(file)] = isCreated;
  }
}

bool filesMayExtend(int file, int variable) {
  return numberOf(file) >= kFiles || !isParallel[numberOf(file)] ||
         filesAreReadCollectively(file, variable);
}

void filesLacksAttributes(int file) {
  if (numberOf(file) < kFiles)
    lacksAttributes[numberOf(file)] = true;
}

void filesNeedsAttribute(int file) {
  if (numberOf(file) < kFiles && lacksAttributes[numberOf(file)])
    theHost->end(theHost->context,
                 "it needs an attribute of a file to which the program has written such");
}

void filesReads(int file, int variable, bool collectively) {
  for (size_t i = 0; i < saidCount; i++)
    if (said[i].file == file && said[i].variable == variable) {
      said[i].collectively = collectively;
      return;
    }
  Said *more = realloc(said, (saidCount + 1) * sizeof *said);
  if (more == NULL)
    return;
  said = more;
  said[saidCount++] = (Said){file, variable, collectively};
}

bool filesAreReadCollectively(int file, int variable) {
  for (size_t i = 0; i < saidCount; i++)
    if (said[i].file == file && said[i].variable == variable)
      return said[i].collectively;
  size_t filters = 0; /* with which netCDF makes a new variable collective */
  return numberOf(file) < kFiles && isNew[numberOf(file)] &&
         nc_inq_var_filter_ids(file, variable, &filters, NULL) == NC_NOERR && filters > 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "records.h"

#include "files.h"
#include "module.h"

#include <pnetcdf.h>
#include <stdbool.h>
#include <stdlib.h>

static int unlimitedOf(int ncid) {
  int unlimited = -1;
  ncmpi_inq_unlimdim(ncid, &unlimited);
  return unlimited;
}

static bool hasRecords(int ncid, int variable) {
  int dimensions = 0;
  if (ncmpi_inq_varndims(ncid, variable, &dimensions) != NC_NOERR || dimensions == 0)
    return false;
  int *ids = calloc((size_t)dimensions, sizeof *ids);
  const bool has = ids != NULL && ncmpi_inq_vardimid(ncid, variable, ids) == NC_NOERR &&
                   ids[0] == unlimitedOf(ncid);
  free(ids);
  return has;
}

void recordsWritten(int ncid, int variable) {
  File *file = filesFind(ncid);
  if (file != NULL && file->ranks > 1 && !file->hasRecords)
    file->hasRecords = hasRecords(ncid, variable);
}

static void end(void) {
  theHost->end(theHost->context, "it needs the number of records, of which other processes write");
}

void recordsNeeded(int ncid, int dimension) {
  const File *file = filesFind(ncid);
  if (file != NULL && file->hasRecords && dimension == unlimitedOf(ncid))
    end();
}

void recordsRead(int ncid, int variable, int rc) {
  const File *file = filesFind(ncid);
  if (file != NULL && file->hasRecords && (rc == NC_EINVALCOORDS || rc == NC_EEDGE) &&
      hasRecords(ncid, variable))
    end();
}

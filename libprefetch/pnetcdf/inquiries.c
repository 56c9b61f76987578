/* SPDX-License-Identifier: Apache-2.0 */
#include "elements.h"
#include "module.h"
#include "records.h"

#include <pnetcdf.h>
#include <string.h>

/** \file
 * What a pre-execution thread calls in place of functions of PnetCDF that write more than one element: it may
 * not write where the program's memory is.
 */

static void own(void *to, size_t bytes) { theHost->own(theHost->context, to, bytes); }

/** What PnetCDF has put into `name`, if that was asked for. Returns `rc`. */
static int giveName(int rc, const char *name, char *to) {
  if (rc != NC_NOERR || to == NULL)
    return rc;
  const size_t bytes = strlen(name) + 1;
  own(to, bytes);
  memcpy(to, name, bytes);
  return rc;
}

FORERUN_EXPORT int forerun_twin_ncmpi_inq_dim(int ncid, int dimension, char *name,
                                              MPI_Offset *length) {
  char found[NC_MAX_NAME + 1];
  if (length != NULL)
    recordsNeeded(ncid, dimension);
  return giveName(ncmpi_inq_dim(ncid, dimension, found, length), found, name);
}

FORERUN_EXPORT int forerun_twin_ncmpi_inq_dimname(int ncid, int dimension, char *name) {
  return forerun_twin_ncmpi_inq_dim(ncid, dimension, name, NULL);
}

FORERUN_EXPORT int forerun_twin_ncmpi_inq_dimlen(int ncid, int dimension, MPI_Offset *length) {
  return forerun_twin_ncmpi_inq_dim(ncid, dimension, NULL, length);
}

static void ownDimensions(int ncid, int variable, int *ids) {
  int count = 0;
  if (ids != NULL && ncmpi_inq_varndims(ncid, variable, &count) == NC_NOERR)
    own(ids, (size_t)count * sizeof *ids);
}

FORERUN_EXPORT int forerun_twin_ncmpi_inq_var(int ncid, int variable, char *name, nc_type *type,
                                              int *dimensions, int *ids, int *attributes) {
  char found[NC_MAX_NAME + 1];
  ownDimensions(ncid, variable, ids);
  return giveName(ncmpi_inq_var(ncid, variable, found, type, dimensions, ids, attributes), found,
                  name);
}

FORERUN_EXPORT int forerun_twin_ncmpi_inq_varname(int ncid, int variable, char *name) {
  return forerun_twin_ncmpi_inq_var(ncid, variable, name, NULL, NULL, NULL, NULL);
}

FORERUN_EXPORT int forerun_twin_ncmpi_inq_vardimid(int ncid, int variable, int *ids) {
  ownDimensions(ncid, variable, ids);
  return ncmpi_inq_vardimid(ncid, variable, ids);
}

FORERUN_EXPORT int forerun_twin_ncmpi_inq_attname(int ncid, int variable, int number, char *name) {
  char found[NC_MAX_NAME + 1];
  return giveName(ncmpi_inq_attname(ncid, variable, number, found), found, name);
}

FORERUN_EXPORT int forerun_twin_ncmpi_inq_var_fill(int ncid, int variable, int *isOff,
                                                   void *value) {
  nc_type type = NC_NAT;
  if (value != NULL && ncmpi_inq_vartype(ncid, variable, &type) == NC_NOERR)
    own(value, elementBytesOf(type));
  return ncmpi_inq_var_fill(ncid, variable, isOff, value);
}

/** Requests are over when they have been made (access.h). */
static int over(int count, int *requests, int *statuses) {
  if (count <= 0)
    return NC_NOERR;
  if (requests != NULL)
    own(requests, (size_t)count * sizeof *requests);
  if (statuses != NULL)
    own(statuses, (size_t)count * sizeof *statuses);
  for (int i = 0; i < count; i++) {
    if (requests != NULL)
      requests[i] = NC_REQ_NULL;
    if (statuses != NULL)
      statuses[i] = NC_NOERR;
  }
  return NC_NOERR;
}

FORERUN_EXPORT int forerun_twin_ncmpi_wait(int ncid, int count, int *requests, int *statuses) {
  (void)ncid;
  return over(count, requests, statuses);
}

FORERUN_EXPORT int forerun_twin_ncmpi_wait_all(int ncid, int count, int *requests, int *statuses) {
  (void)ncid;
  return over(count, requests, statuses);
}

FORERUN_EXPORT int forerun_twin_ncmpi_cancel(int ncid, int count, int *requests, int *statuses) {
  (void)ncid;
  return over(count, requests, statuses);
}

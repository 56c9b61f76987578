/* SPDX-License-Identifier: Apache-2.0 */
#include "access.h"

#include "elements.h"
#include "files.h"
#include "module.h"
#include "records.h"
#include "scratch.h"

#include <pnetcdf.h>
#include <stdbool.h>
#include <stdlib.h>

/* ---- how much ---- */

static MPI_Offset product(int count, const MPI_Offset *factors) {
  MPI_Offset result = 1;
  for (int i = 0; i < count; i++)
    result *= factors[i];
  return result;
}

static MPI_Offset elementsOfVariable(const Access *access, int dimensions) {
  int *ids = calloc((size_t)dimensions + 1, sizeof *ids);
  MPI_Offset elements = ids == NULL ? 0 : 1;
  if (ids != NULL)
    ncmpi_inq_vardimid(access->ncid, access->variable, ids);
  for (int i = 0; ids != NULL && i < dimensions; i++) {
    MPI_Offset length = 0;
    ncmpi_inq_dimlen(access->ncid, ids[i], &length);
    elements *= length;
  }
  free(ids);
  return elements;
}

static MPI_Offset elementsOfParts(const Access *access, int dimensions) {
  MPI_Offset elements = 0;
  for (int i = 0; i < access->number; i++) {
    const MPI_Offset *count = access->counts == NULL ? NULL : access->counts[i];
    elements += count == NULL ? 1 : product(dimensions, count);
  }
  return elements;
}

/** 0: PnetCDF will refuse it. */
static MPI_Offset elementsOf(const Access *access) {
  int dimensions = 0;
  if (ncmpi_inq_varndims(access->ncid, access->variable, &dimensions) != NC_NOERR)
    return 0;
  switch (access->shape) {
  case ShapeVar:
    return elementsOfVariable(access, dimensions);
  case ShapeVar1:
    return 1;
  case ShapeVarn:
    return elementsOfParts(access, dimensions);
  default:
    return access->count == NULL ? 0 : product(dimensions, access->count);
  }
}

static size_t bytesInFile(const Access *access) {
  nc_type type = NC_NAT;
  ncmpi_inq_vartype(access->ncid, access->variable, &type);
  return elementBytesOf(type);
}

/* ---- what is read and written without values ---- */

/** As the variable's own type, so that nothing is converted. */
static int get(const Access *a, bool all, void *to) {
  switch (a->shape) {
  case ShapeVar:
    return (all ? ncmpi_get_var_all : ncmpi_get_var)(a->ncid, a->variable, to, 0,
                                                     MPI_DATATYPE_NULL);
  case ShapeVar1:
    return (all ? ncmpi_get_var1_all : ncmpi_get_var1)(a->ncid, a->variable, a->start, to, 0,
                                                       MPI_DATATYPE_NULL);
  case ShapeVara:
    return (all ? ncmpi_get_vara_all : ncmpi_get_vara)(a->ncid, a->variable, a->start, a->count, to,
                                                       0, MPI_DATATYPE_NULL);
  case ShapeVars:
    return (all ? ncmpi_get_vars_all : ncmpi_get_vars)(a->ncid, a->variable, a->start, a->count,
                                                       a->stride, to, 0, MPI_DATATYPE_NULL);
  default:
    return (all ? ncmpi_get_varn_all : ncmpi_get_varn)(a->ncid, a->variable, a->number, a->starts,
                                                       a->counts, to, 0, MPI_DATATYPE_NULL);
  }
}

static int put(const Access *a, bool all, const void *from) {
  switch (a->shape) {
  case ShapeVar:
    return (all ? ncmpi_put_var_all : ncmpi_put_var)(a->ncid, a->variable, from, 0,
                                                     MPI_DATATYPE_NULL);
  case ShapeVar1:
    return (all ? ncmpi_put_var1_all : ncmpi_put_var1)(a->ncid, a->variable, a->start, from, 0,
                                                       MPI_DATATYPE_NULL);
  case ShapeVara:
    return (all ? ncmpi_put_vara_all : ncmpi_put_vara)(a->ncid, a->variable, a->start, a->count,
                                                       from, 0, MPI_DATATYPE_NULL);
  case ShapeVars:
    return (all ? ncmpi_put_vars_all : ncmpi_put_vars)(a->ncid, a->variable, a->start, a->count,
                                                       a->stride, from, 0, MPI_DATATYPE_NULL);
  default:
    return (all ? ncmpi_put_varn_all : ncmpi_put_varn)(a->ncid, a->variable, a->number, a->starts,
                                                       a->counts, from, 0, MPI_DATATYPE_NULL);
  }
}

static void *scratchFor(const Access *access) {
  const MPI_Offset elements = elementsOf(access);
  void *scratch = scratchTake(elements > 0 ? (size_t)elements * bytesInFile(access) : 0);
  if (scratch == NULL)
    theHost->end(theHost->context, "there is no address space for what PnetCDF reads");
  return scratch;
}

/** Whether a request blocks or not does not tell in which mode the file is. */
int accessAnnounce(const Access *access) {
  void *to = scratchFor(access);
  forerun_twin_mpi_reads(FORERUN_TWIN_ANNOUNCE);
  int rc = get(access, true, to);
  if (rc == NC_EINDEP)
    rc = get(access, false, to);
  forerun_twin_mpi_reads(FORERUN_TWIN_IGNORE);
  theHost->announced(theHost->context);
  recordsRead(access->ncid, access->variable, rc);
  return rc;
}

int accessDirty(const Access *access) {
  const void *from = scratchFor(access);
  int rc = put(access, true, from);
  if (rc == NC_EINDEP)
    rc = put(access, false, from);
  recordsWritten(access->ncid, access->variable);
  theHost->announced(theHost->context);
  return rc;
}

/* ---- values ---- */

/** In elements, from the lowest to the highest that is written; `*below`: how many are below `to`. */
static MPI_Offset reach(const Access *access, const MPI_Offset *map, MPI_Offset *below) {
  int dimensions = 0;
  MPI_Offset above = 0;
  if (map == NULL || access->count == NULL)
    return elementsOf(access);
  if (elementsOf(access) == 0 ||
      ncmpi_inq_varndims(access->ncid, access->variable, &dimensions) != NC_NOERR)
    return 0;
  for (int i = 0; i < dimensions; i++)
    *(map[i] < 0 ? below : &above) += (access->count[i] - 1) * llabs(map[i]);
  return *below + above + 1;
}

static size_t bytesInMemory(const Access *access, const Target *target) {
  if (target->elementBytes > 0)
    return target->elementBytes;
  if (target->type == MPI_DATATYPE_NULL)
    return bytesInFile(access);
  int size = 0, integers, addresses, types, combiner;
  if (MPI_Type_get_envelope(target->type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS)
    theHost->end(theHost->context, "PnetCDF reads what it needs as a derived datatype");
  MPI_Type_size(target->type, &size);
  return (size_t)size;
}

void accessBegin(const Access *access, const Target *target) {
  const size_t bytes = bytesInMemory(access, target);
  MPI_Offset below = 0;
  const MPI_Offset elements = reach(access, target->map, &below);
  theHost->own(theHost->context, (char *)target->to - (size_t)below * bytes,
               (size_t)elements * bytes);
  if (access->shape == ShapeVar) /* all records */
    recordsRead(access->ncid, access->variable, NC_EEDGE);
  const File *file = filesFind(access->ncid);
  if (file != NULL && file->file == 0)
    theHost->end(theHost->context, "it needs what the program has written to a new file");
  if (file != NULL && file->isWritable)
    theHost->await(theHost->context);
  forerun_twin_mpi_reads(FORERUN_TWIN_FETCH);
}

int accessEnd(const Access *access, int rc) {
  forerun_twin_mpi_reads(FORERUN_TWIN_IGNORE);
  recordsRead(access->ncid, access->variable, rc);
  return rc;
}

int accessComplete(const Access *access, int rc, int request) {
  int status = NC_NOERR;
  if (rc == NC_NOERR)
    rc = ncmpi_wait_all(access->ncid, 1, &request, &status);
  if (rc == NC_EINDEP)
    rc = ncmpi_wait(access->ncid, 1, &request, &status);
  return accessEnd(access, rc == NC_NOERR ? status : rc);
}

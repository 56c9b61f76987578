/* SPDX-License-Identifier: Apache-2.0 */
#include "attributes.h"

#include "elements.h"
#include "files.h"
#include "module.h"

#include <pnetcdf.h>
#include <stdlib.h>

enum { kMaxElementBytes = 8 };

void attributesBegin(const Attribute *attribute, void *to, size_t elementBytes) {
  const File *file = filesFind(attribute->ncid);
  if (file != NULL && file->hasAttributes)
    theHost->end(theHost->context, "it needs an attribute of a file that the program has written");
  nc_type type = NC_NAT;
  MPI_Offset elements = 0;
  ncmpi_inq_att(attribute->ncid, attribute->variable, attribute->name, &type, &elements);
  theHost->own(theHost->context, to,
               (size_t)elements * (elementBytes > 0 ? elementBytes : elementBytesOf(type)));
}

int attributesAnnounce(const Attribute *attribute) {
  return ncmpi_inq_att(attribute->ncid, attribute->variable, attribute->name, NULL, NULL);
}

void *attributesWritten(int ncid, long long elements) {
  File *file = filesFind(ncid);
  if (file != NULL)
    file->hasAttributes = true;
  return calloc((size_t)(elements > 0 ? elements : 0) + 1, kMaxElementBytes);
}

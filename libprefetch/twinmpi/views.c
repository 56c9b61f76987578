/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include <string.h>

int MPI_File_set_view(MPI_File file, MPI_Offset start, MPI_Datatype element, MPI_Datatype tile,
                      const char *representation, MPI_Info info) {
  (void)info;
  Type *elements = typesFind(element), *tiles = typesFind(tile);
  if (elements == NULL || tiles == NULL)
    return MPI_ERR_TYPE;
  if (strcmp(representation, "native") != 0)
    return MPI_ERR_UNSUPPORTED_DATAREP;
  elements->users++;
  tiles->users++;
  typesRelease(file->element);
  typesRelease(file->tile);
  file->element = elements;
  file->tile = tiles;
  file->start = start;
  file->pointer = 0;
  return MPI_SUCCESS;
}

/** What is to be skipped of the view's data, and what comes then. */
typedef struct Part {
  MPI_Offset skip, left;
  Visit visit;
  void *with;
} Part;

static bool visitPart(void *with, MPI_Aint at, MPI_Aint bytes) {
  Part *part = with;
  if (part->skip >= bytes) {
    part->skip -= bytes;
    return true;
  }
  at += part->skip;
  bytes -= part->skip;
  part->skip = 0;
  if (bytes > part->left)
    bytes = part->left;
  part->left -= bytes;
  return part->visit(part->with, at, bytes) && part->left > 0;
}

void viewsWalk(const struct ADIOI_FileD *file, MPI_Offset offset, MPI_Offset bytes, Visit visit,
               void *with) {
  const Type *tile = file->tile;
  if (tile->size == 0 || bytes == 0)
    return;
  const MPI_Offset data = offset * file->element->size, extent = tile->upper - tile->lower;
  const MPI_Offset first = data / tile->size, skip = data % tile->size;
  const MPI_Offset tiles = (skip + bytes + tile->size - 1) / tile->size;
  Part part = {skip, bytes, visit, with};
  typesWalk(tile, tiles, file->start + first * extent, visitPart, &part);
}

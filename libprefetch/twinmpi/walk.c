/* SPDX-License-Identifier: Apache-2.0 */
#include "types.h"

#include <string.h>

/** \file
 * The bytes of datatypes, in their order.
 */

bool typesArePiece(const Type *of, MPI_Aint count) {
  return of->isDense && (count == 1 || of->upper - of->lower == of->size);
}

static bool walkBlock(const Block *block, MPI_Aint base, Visit visit, void *with) {
  return typesWalk(block->of, block->length, base + block->at, visit, with);
}

static bool walkOne(const Type *of, MPI_Aint base, Visit visit, void *with) {
  for (MPI_Aint i = 0; i < of->blocks; i++) {
    const bool goesOn = of->listed != NULL
                            ? walkBlock(&of->listed[i], base, visit, with)
                            : walkBlock(&of->first, base + i * of->stride, visit, with);
    if (!goesOn)
      return false;
  }
  return true;
}

bool typesWalk(const Type *of, MPI_Aint count, MPI_Aint base, Visit visit, void *with) {
  if (count == 0 || of->size == 0)
    return true;
  if (typesArePiece(of, count))
    return visit(with, base + of->trueLower, count * of->size);
  for (MPI_Aint i = 0; i < count; i++) {
    const MPI_Aint at = base + i * (of->upper - of->lower);
    if (of->isDense ? !visit(with, at + of->trueLower, of->size) : !walkOne(of, at, visit, with))
      return false;
  }
  return true;
}

/** A row of bytes of which those before `next` have been dealt with. */
typedef struct Row {
  char *next;
  MPI_Aint left;
  char *memory;
} Row;

static bool gatherPiece(void *with, MPI_Aint at, MPI_Aint bytes) {
  Row *row = with;
  memcpy(row->next, row->memory + at, (size_t)bytes);
  row->next += bytes;
  return true;
}

static bool scatterPiece(void *with, MPI_Aint at, MPI_Aint bytes) {
  Row *row = with;
  const MPI_Aint some = bytes < row->left ? bytes : row->left;
  memcpy(row->memory + at, row->next, (size_t)some);
  row->next += some;
  row->left -= some;
  return row->left > 0;
}

void typesGather(char *row, const void *from, MPI_Aint count, const Type *type) {
  Row to = {.next = row, .memory = (char *)from};
  typesWalk(type, count, 0, gatherPiece, &to);
}

void typesScatter(const char *row, MPI_Aint bytes, void *to, MPI_Aint count, const Type *type) {
  Row from = {.next = (char *)row, .left = bytes, .memory = to};
  if (bytes > 0)
    typesWalk(type, count, 0, scatterPiece, &from);
}

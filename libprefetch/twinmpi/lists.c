/* SPDX-License-Identifier: Apache-2.0 */
#include "types.h"

#include <stdlib.h>
#include <string.h>

/** \file
 * MPI's constructors of datatypes that are given lists of blocks.
 */

/** The lists, each in one of two forms. */
typedef struct Lists {
  int combiner, count;
  const int *lengths; /**< NULL: all have this one */
  int length;
  const int *places; /**< in extents; NULL: in bytes */
  const MPI_Aint *addresses;
  Type *const *types; /**< NULL: all are of this one */
  Type *type;
} Lists;

static MPI_Aint lengthOf(const Lists *lists, int i) {
  return lists->lengths != NULL ? lists->lengths[i] : lists->length;
}

static Block blockOf(const Lists *lists, int i) {
  Type *of = lists->types != NULL ? lists->types[i] : lists->type;
  const MPI_Aint at =
      lists->places != NULL ? lists->places[i] * (of->upper - of->lower) : lists->addresses[i];
  return (Block){at, lengthOf(lists, i), of};
}

/** MPICH does not pad what it can say as MPI_Type_create_hindexed. */
static bool areOfOneType(const Lists *lists) {
  for (int i = 1; lists->types != NULL && i < lists->count; i++)
    if (lists->types[i] != lists->types[0])
      return false;
  return true;
}

static Type *blocksOf(const Lists *lists) {
  Type *fresh = typesListed(lists->count);
  for (int i = 0; fresh != NULL && i < lists->count; i++)
    typesPut(fresh, i, blockOf(lists, i));
  fresh = typesBounded(fresh);
  return areOfOneType(lists) ? fresh : typesPadded(fresh);
}

/** As MPI_Type_get_contents gives them: the number, the lengths or the one length, the places. */
static int *integersOf(const Lists *lists, int *count) {
  const size_t many = (size_t)lists->count;
  int *integers = malloc((2 * many + 2) * sizeof *integers), *next = integers;
  if (integers == NULL)
    return NULL;
  *next++ = lists->count;
  if (lists->lengths == NULL)
    *next++ = lists->length;
  for (int i = 0; lists->lengths != NULL && i < lists->count; i++)
    *next++ = lists->lengths[i];
  for (int i = 0; lists->places != NULL && i < lists->count; i++)
    *next++ = lists->places[i];
  *count = (int)(next - integers);
  return integers;
}

static bool areValid(const Lists *lists) {
  if (lists->count < 0 || (lists->types == NULL && lists->type == NULL))
    return false;
  for (int i = 0; i < lists->count; i++)
    if (lengthOf(lists, i) < 0 || (lists->types != NULL && lists->types[i] == NULL))
      return false;
  return true;
}

static int give(const Lists *lists, MPI_Datatype *made) {
  if (!areValid(lists))
    return MPI_ERR_TYPE;
  int count = 0;
  int *integers = integersOf(lists, &count);
  if (integers == NULL)
    return MPI_ERR_NO_MEM;
  const Contents contents = {lists->combiner,
                             count,
                             lists->places == NULL ? lists->count : 0,
                             lists->types != NULL ? lists->count : 1,
                             integers,
                             lists->addresses,
                             lists->types != NULL ? lists->types : &lists->type};
  const int rc = typesGive(blocksOf(lists), &contents, made);
  free(integers);
  return rc;
}

int MPI_Type_indexed(int count, const int *lengths, const int *places, MPI_Datatype old,
                     MPI_Datatype *made) {
  const Lists lists = {.combiner = MPI_COMBINER_INDEXED,
                       .count = count,
                       .lengths = lengths,
                       .places = places,
                       .type = typesFind(old)};
  return give(&lists, made);
}

int MPI_Type_create_hindexed(int count, const int *lengths, const MPI_Aint *addresses,
                             MPI_Datatype old, MPI_Datatype *made) {
  const Lists lists = {.combiner = MPI_COMBINER_HINDEXED,
                       .count = count,
                       .lengths = lengths,
                       .addresses = addresses,
                       .type = typesFind(old)};
  return give(&lists, made);
}

int MPI_Type_create_indexed_block(int count, int length, const int *places, MPI_Datatype old,
                                  MPI_Datatype *made) {
  const Lists lists = {.combiner = MPI_COMBINER_INDEXED_BLOCK,
                       .count = count,
                       .length = length,
                       .places = places,
                       .type = typesFind(old)};
  return give(&lists, made);
}

int MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint *addresses,
                                   MPI_Datatype old, MPI_Datatype *made) {
  const Lists lists = {.combiner = MPI_COMBINER_HINDEXED_BLOCK,
                       .count = count,
                       .length = length,
                       .addresses = addresses,
                       .type = typesFind(old)};
  return give(&lists, made);
}

int MPI_Type_create_struct(int count, const int *lengths, const MPI_Aint *addresses,
                           const MPI_Datatype *olds, MPI_Datatype *made) {
  Type **types = count < 0 ? NULL : (Type **)malloc(((size_t)count + 1) * sizeof *types);
  if (types == NULL)
    return MPI_ERR_NO_MEM;
  for (int i = 0; i < count; i++)
    types[i] = typesFind(olds[i]);
  const Lists lists = {.combiner = MPI_COMBINER_STRUCT,
                       .count = count,
                       .lengths = lengths,
                       .addresses = addresses,
                       .types = types};
  const int rc = give(&lists, made);
  free((void *)types);
  return rc;
}

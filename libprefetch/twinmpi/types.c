/* SPDX-License-Identifier: Apache-2.0 */
#include "types.h"

#include "objects.h"

#include <stdlib.h>
#include <string.h>

/** The handles of elementary datatypes have their size in the second byte. */
enum { kElementary = 0x4c000000, kKindMask = (int)0xff000000, kElementaryCount = 256 };

static Type *elementary(MPI_Datatype handle) {
  static Type all[kElementaryCount];
  Type *one = &all[handle & 0xff];
  one->named = handle;
  one->users = 1;
  one->size = one->upper = one->trueUpper = one->alignment = (handle >> 8) & 0xff;
  one->isDense = true;
  one->combiner = MPI_COMBINER_NAMED;
  return one;
}

Type *typesFind(MPI_Datatype handle) {
  return (handle & kKindMask) == kElementary ? elementary(handle) : objectsFind(kDatatype, handle);
}

MPI_Datatype typesHandle(Type *of) {
  if (of->named != MPI_DATATYPE_NULL)
    return of->named;
  const int handle = objectsAdd(kDatatype, of);
  if (handle == kDatatype)
    return MPI_DATATYPE_NULL;
  of->users++;
  return handle;
}

void typesRelease(Type *one) {
  if (one->named != MPI_DATATYPE_NULL || --one->users > 0)
    return;
  for (MPI_Aint i = 0; one->listed != NULL && i < one->blocks; i++)
    if (one->listed[i].of != NULL)
      typesRelease(one->listed[i].of);
  if (one->first.of != NULL)
    typesRelease(one->first.of);
  for (int i = 0; i < one->typeCount; i++)
    typesRelease(one->types[i]);
  free(one->listed);
  free(one->integers);
  free(one->addresses);
  free((void *)one->types);
  free(one);
}

void typesForget(MPI_Datatype handle) {
  Type *one = objectsFind(kDatatype, handle);
  objectsRemove(kDatatype, handle);
  typesRelease(one);
}

/* ---- making ---- */

static Type *made(void) {
  Type *fresh = calloc(1, sizeof *fresh);
  if (fresh != NULL)
    fresh->named = MPI_DATATYPE_NULL;
  return fresh;
}

Type *typesUniform(MPI_Aint blocks, MPI_Aint stride, MPI_Aint length, Type *of) {
  Type *fresh = made();
  if (fresh == NULL)
    return NULL;
  of->users++;
  fresh->blocks = blocks;
  fresh->stride = stride;
  fresh->first = (Block){0, length, of};
  return fresh;
}

Type *typesListed(MPI_Aint blocks) {
  Type *fresh = made();
  if (fresh == NULL)
    return NULL;
  fresh->blocks = blocks;
  fresh->listed = calloc((size_t)blocks + 1, sizeof *fresh->listed);
  if (fresh->listed != NULL)
    return fresh;
  free(fresh);
  return NULL;
}

void typesPut(Type *into, MPI_Aint place, Block block) {
  block.of->users++;
  into->listed[place] = block;
}

static void *copyOf(const void *from, size_t bytes) {
  void *copy = calloc(bytes + 1, 1);
  if (copy != NULL && bytes > 0)
    memcpy(copy, from, bytes);
  return copy;
}

bool typesRemember(Type *one, const Contents *contents) {
  one->combiner = contents->combiner;
  one->integers =
      copyOf(contents->integers, (size_t)contents->integerCount * sizeof *one->integers);
  one->addresses =
      copyOf(contents->addresses, (size_t)contents->addressCount * sizeof *one->addresses);
  one->types = (Type **)copyOf((const void *)contents->types,
                               (size_t)contents->typeCount * sizeof *one->types);
  if (one->integers == NULL || one->addresses == NULL || one->types == NULL)
    return false;
  one->integerCount = contents->integerCount;
  one->addressCount = contents->addressCount;
  one->typeCount = contents->typeCount;
  for (int i = 0; i < one->typeCount; i++)
    contents->types[i]->users++;
  return true;
}

/* ---- bounds ---- */

static MPI_Aint least(MPI_Aint a, MPI_Aint b) { return a < b ? a : b; }
static MPI_Aint most(MPI_Aint a, MPI_Aint b) { return a > b ? a : b; }

static void cover(Type *of, bool isFirst, const Block *block) {
  const Type *each = block->of;
  const MPI_Aint reach = (block->length - 1) * (each->upper - each->lower);
  const MPI_Aint lowest = block->at + least(reach, 0), highest = block->at + most(reach, 0);
  const MPI_Aint lower = lowest + each->lower, upper = highest + each->upper;
  of->lower = isFirst ? lower : least(of->lower, lower);
  of->upper = isFirst ? upper : most(of->upper, upper);
  of->trueLower =
      isFirst ? lowest + each->trueLower : least(of->trueLower, lowest + each->trueLower);
  of->trueUpper =
      isFirst ? highest + each->trueUpper : most(of->trueUpper, highest + each->trueUpper);
  of->size += block->length * each->size;
  of->alignment = most(of->alignment, each->alignment);
}

static bool isUniformDense(const Type *of) {
  return typesArePiece(of->first.of, of->first.length) &&
         (of->blocks == 1 || of->stride == of->first.length * of->first.of->size);
}

static void boundsOfUniform(Type *of) {
  const MPI_Aint size = of->blocks * of->first.length * of->first.of->size;
  if (of->blocks == 0 || of->first.length == 0)
    return;
  Block last = of->first;
  last.at += (of->blocks - 1) * of->stride;
  cover(of, true, &of->first);
  cover(of, false, &last);
  of->size = size;
  of->isDense = isUniformDense(of);
}

/* Blocks of which each begins where the one before ends are one piece: a type that is made of itself twice, and that
 * again, would else be walked through block by block, 2^depth of them. */
static void boundsOfListed(Type *of) {
  bool isFirst = true, isDense = true;
  MPI_Aint end = 0;
  for (MPI_Aint i = 0; i < of->blocks; i++) {
    const Block *each = &of->listed[i];
    if (each->length == 0)
      continue;
    cover(of, isFirst, each);
    const MPI_Aint begin = each->at + each->of->trueLower;
    isDense = isDense && typesArePiece(each->of, each->length) && (isFirst || begin == end);
    end = begin + each->length * each->of->size;
    isFirst = false;
  }
  of->isDense = !isFirst && isDense;
}

Type *typesBounded(Type *fresh) {
  if (fresh == NULL)
    return NULL;
  fresh->isDense = true; /* where there is nothing */
  if (fresh->listed != NULL)
    boundsOfListed(fresh);
  else
    boundsOfUniform(fresh);
  return fresh;
}

void typesSetBounds(Type *of, MPI_Aint lower, MPI_Aint upper) {
  of->lower = lower;
  of->upper = upper;
}

Type *typesPadded(Type *fresh) {
  const MPI_Aint over =
      fresh == NULL || fresh->alignment == 0 ? 0 : (fresh->upper - fresh->lower) % fresh->alignment;
  if (over != 0)
    fresh->upper += fresh->alignment - over;
  return fresh;
}

/* ---- giving ---- */

int typesGive(Type *fresh, const Contents *contents, MPI_Datatype *handle) {
  *handle = MPI_DATATYPE_NULL;
  if (fresh == NULL)
    return MPI_ERR_NO_MEM;
  fresh->users = 1;
  if (typesRemember(fresh, contents))
    *handle = typesHandle(fresh);
  typesRelease(fresh);
  return *handle == MPI_DATATYPE_NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
}

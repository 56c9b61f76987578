/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <mpi.h>
#include <stdbool.h>

/** \file
 * Datatypes: blocks of other datatypes, down to those that MPI names.
 */

typedef struct Type Type;

/** `length` of a datatype, one after the other, the first of them at byte `at`. */
typedef struct Block {
  MPI_Aint at, length;
  Type *of;
} Block;

struct Type {
  MPI_Datatype named; /**< its handle, if MPI names it; else MPI_DATATYPE_NULL */
  int users;          /**< handles of it, and datatypes made of it */

  MPI_Aint size, lower, upper, trueLower, trueUpper;
  bool isDense; /**< its bytes are one piece, in order */
  MPI_Aint alignment;

  /** Either `listed`, or as many blocks like `first`, each `stride` bytes behind the one before. */
  MPI_Aint blocks, stride;
  Block first, *listed;

  /** As it was made: MPI_Type_get_contents. */
  int combiner, integerCount, addressCount, typeCount;
  int *integers;
  MPI_Aint *addresses;
  Type **types;
};

/** NULL: it is none. */
Type *typesFind(MPI_Datatype handle);
/** With one more handle, MPI_DATATYPE_NULL if there is no memory. */
MPI_Datatype typesHandle(Type *of);
/** There is one handle less. */
void typesForget(MPI_Datatype handle);
void typesRelease(Type *one);

/** @{ One that is being made: NULL, where there is no memory. When its blocks are there, `typesBounded` gives
 * it its bounds. */
Type *typesUniform(MPI_Aint blocks, MPI_Aint stride, MPI_Aint length, Type *of);
Type *typesListed(MPI_Aint blocks);
void typesPut(Type *into, MPI_Aint place, Block block);
Type *typesBounded(Type *fresh);
void typesSetBounds(Type *of, MPI_Aint lower, MPI_Aint upper);
/** As a compiler pads structures. */
Type *typesPadded(Type *fresh);
/** @} */

/** What it was made from; the arrays are copied. False: there is no memory. */
typedef struct Contents {
  int combiner, integerCount, addressCount, typeCount;
  const int *integers;
  const MPI_Aint *addresses;
  Type *const *types;
} Contents;
bool typesRemember(Type *one, const Contents *contents);

/** A handle of one whose blocks and bounds are there, which has no other user; NULL: there was no memory for
 * it. An error of MPI. */
int typesGive(Type *fresh, const Contents *contents, MPI_Datatype *handle);

/** Calls `visit(with, at, bytes)` for each piece of `count` of the datatype from byte `base` on, in
 * their order, while that returns true. Whether it did to the end. */
typedef bool (*Visit)(void *with, MPI_Aint at, MPI_Aint bytes);
bool typesWalk(const Type *of, MPI_Aint count, MPI_Aint base, Visit visit, void *with);

/** Whether `count` of it are one piece of memory. */
bool typesArePiece(const Type *of, MPI_Aint count);

/** @{ Between memory and a row of bytes. */
void typesGather(char *row, const void *from, MPI_Aint count, const Type *type);
/** As many bytes as there are. */
void typesScatter(const char *row, MPI_Aint bytes, void *to, MPI_Aint count, const Type *type);
/** @} */

/** From memory to memory; an error of MPI. */
int typesCopy(const void *from, int fromCount, MPI_Datatype fromType, void *to, int toCount,
              MPI_Datatype toType);

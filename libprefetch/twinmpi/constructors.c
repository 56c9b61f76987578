/* SPDX-License-Identifier: Apache-2.0 */
#include "types.h"

#include <stddef.h>

/** \file
 * MPI's constructors of datatypes.
 */

static MPI_Aint extentOf(const Type *type) { return type->upper - type->lower; }

int MPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype *made) {
  Type *of = typesFind(old);
  if (of == NULL || count < 0)
    return MPI_ERR_TYPE;
  const Contents contents = {MPI_COMBINER_CONTIGUOUS, 1, 0, 1, &count, NULL, &of};
  return typesGive(typesBounded(typesUniform(1, 0, count, of)), &contents, made);
}

int MPI_Type_vector(int count, int length, int stride, MPI_Datatype old, MPI_Datatype *made) {
  Type *of = typesFind(old);
  if (of == NULL || count < 0 || length < 0)
    return MPI_ERR_TYPE;
  const int integers[] = {count, length, stride};
  const Contents contents = {MPI_COMBINER_VECTOR, 3, 0, 1, integers, NULL, &of};
  return typesGive(typesBounded(typesUniform(count, stride * extentOf(of), length, of)), &contents,
                   made);
}

int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old,
                            MPI_Datatype *made) {
  Type *of = typesFind(old);
  if (of == NULL || count < 0 || length < 0)
    return MPI_ERR_TYPE;
  const int integers[] = {count, length};
  const Contents contents = {MPI_COMBINER_HVECTOR, 2, 1, 1, integers, &stride, &of};
  return typesGive(typesBounded(typesUniform(count, stride, length, of)), &contents, made);
}

int MPI_Type_dup(MPI_Datatype old, MPI_Datatype *made) {
  Type *of = typesFind(old);
  if (of == NULL)
    return MPI_ERR_TYPE;
  const Contents contents = {MPI_COMBINER_DUP, 0, 0, 1, NULL, NULL, &of};
  return typesGive(typesBounded(typesUniform(1, 0, 1, of)), &contents, made);
}

int MPI_Type_create_resized(MPI_Datatype old, MPI_Aint lower, MPI_Aint extent, MPI_Datatype *made) {
  Type *of = typesFind(old);
  if (of == NULL)
    return MPI_ERR_TYPE;
  Type *fresh = typesBounded(typesUniform(1, 0, 1, of));
  if (fresh != NULL)
    typesSetBounds(fresh, lower, lower + extent);
  const MPI_Aint addresses[] = {lower, extent};
  const Contents contents = {MPI_COMBINER_RESIZED, 0, 2, 1, NULL, addresses, &of};
  return typesGive(fresh, &contents, made);
}

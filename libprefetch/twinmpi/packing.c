/* SPDX-License-Identifier: Apache-2.0 */
#include "types.h"

#include <limits.h>
#include <stdlib.h>

/** \file
 * Data between memory of two datatypes, one of which may be a plain row.
 */

int MPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int *bytes) {
  (void)comm;
  const Type *of = typesFind(type);
  if (of == NULL)
    return MPI_ERR_TYPE;
  *bytes = (int)(count * of->size);
  return MPI_SUCCESS;
}

int MPI_Pack(const void *from, int count, MPI_Datatype type, void *to, int bytes, int *position,
             MPI_Comm comm) {
  (void)comm;
  const Type *of = typesFind(type);
  if (of == NULL || bytes - *position < count * of->size)
    return of == NULL ? MPI_ERR_TYPE : MPI_ERR_ARG;
  typesGather((char *)to + *position, from, count, of);
  *position += (int)(count * of->size);
  return MPI_SUCCESS;
}

int MPI_Unpack(const void *from, int bytes, int *position, void *to, int count, MPI_Datatype type,
               MPI_Comm comm) {
  (void)comm;
  const Type *of = typesFind(type);
  if (of == NULL || bytes - *position < count * of->size)
    return of == NULL ? MPI_ERR_TYPE : MPI_ERR_ARG;
  typesScatter((const char *)from + *position, count * of->size, to, count, of);
  *position += (int)(count * of->size);
  return MPI_SUCCESS;
}

int typesCopy(const void *from, int fromCount, MPI_Datatype fromType, void *to, int toCount,
              MPI_Datatype toType) {
  const Type *source = typesFind(fromType), *target = typesFind(toType);
  if (source == NULL || target == NULL)
    return MPI_ERR_TYPE;
  if (fromCount * source->size > toCount * target->size)
    return MPI_ERR_TRUNCATE;
  char *row = malloc((size_t)(fromCount * source->size) + 1);
  if (row == NULL)
    return MPI_ERR_NO_MEM;
  typesGather(row, from, fromCount, source);
  typesScatter(row, fromCount * source->size, to, toCount, target);
  free(row);
  return MPI_SUCCESS;
}

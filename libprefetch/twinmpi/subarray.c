/* SPDX-License-Identifier: Apache-2.0 */
#include "types.h"

#include <stdlib.h>

/** \file
 * MPI_Type_create_subarray: rows, of rows, of rows.
 */

/** Dimension `i`, counted from the one whose elements are next to each other. */
static int dimension(int count, int order, int i) {
  return order == MPI_ORDER_C ? count - 1 - i : i;
}

/** `count` of `of`, `stride` apart. Of `of` nobody else needs to know. */
static Type *rows(Type *of, MPI_Aint stride, MPI_Aint count) {
  if (of == NULL)
    return NULL;
  Type *fresh = typesBounded(typesUniform(count, stride, 1, of));
  typesRelease(of);
  if (fresh != NULL)
    fresh->users = 1;
  return fresh;
}

static Type *fromOffset(Type *of, MPI_Aint offset, MPI_Aint extent) {
  Type *fresh = of == NULL ? NULL : typesListed(1);
  if (fresh != NULL)
    typesPut(fresh, 0, (Block){offset, 1, of});
  if (of != NULL)
    typesRelease(of);
  if (typesBounded(fresh) != NULL)
    typesSetBounds(fresh, 0, extent);
  return fresh;
}

static Type *part(int count, const int *sizes, const int *subsizes, const int *starts, int order,
                  Type *of) {
  const MPI_Aint extent = of->upper - of->lower;
  const int inner = dimension(count, order, 0);
  MPI_Aint stride = extent, offset = starts[inner] * stride;
  Type *fresh = typesBounded(typesUniform(1, 0, subsizes[inner], of));
  if (fresh != NULL)
    fresh->users = 1;
  for (int i = 1; i < count; i++) {
    const int at = dimension(count, order, i);
    stride *= sizes[dimension(count, order, i - 1)];
    offset += starts[at] * stride;
    fresh = rows(fresh, stride, subsizes[at]);
  }
  return fromOffset(fresh, offset, stride * sizes[dimension(count, order, count - 1)]);
}

static bool areValid(int count, const int *sizes, const int *subsizes, const int *starts) {
  bool are = count > 0;
  for (int i = 0; i < count; i++)
    are &= sizes[i] > 0 && subsizes[i] > 0 && starts[i] >= 0 && starts[i] + subsizes[i] <= sizes[i];
  return are;
}

int MPI_Type_create_subarray(int count, const int *sizes, const int *subsizes, const int *starts,
                             int order, MPI_Datatype old, MPI_Datatype *made) {
  Type *of = typesFind(old);
  if (of == NULL || !areValid(count, sizes, subsizes, starts))
    return MPI_ERR_ARG;
  int *integers = malloc((3 * (size_t)count + 2) * sizeof *integers);
  if (integers == NULL)
    return MPI_ERR_NO_MEM;
  integers[0] = count;
  for (int i = 0; i < count; i++) {
    integers[1 + i] = sizes[i];
    integers[1 + count + i] = subsizes[i];
    integers[1 + 2 * count + i] = starts[i];
  }
  integers[1 + 3 * count] = order;
  const Contents contents = {MPI_COMBINER_SUBARRAY, 3 * count + 2, 0, 1, integers, NULL, &of};
  const int rc = typesGive(part(count, sizes, subsizes, starts, order, of), &contents, made);
  free(integers);
  return rc;
}

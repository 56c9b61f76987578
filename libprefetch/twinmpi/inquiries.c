/* SPDX-License-Identifier: Apache-2.0 */
#include "types.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

/** \file
 * What MPI tells of datatypes.
 */

int MPI_Type_commit(MPI_Datatype *type) {
  return typesFind(*type) == NULL ? MPI_ERR_TYPE : MPI_SUCCESS;
}

int MPI_Type_free(MPI_Datatype *type) {
  Type *one = typesFind(*type);
  if (one == NULL || one->named != MPI_DATATYPE_NULL)
    return MPI_ERR_TYPE;
  typesForget(*type);
  *type = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

int MPI_Type_size_x(MPI_Datatype type, MPI_Count *size) {
  const Type *one = typesFind(type);
  if (one == NULL)
    return MPI_ERR_TYPE;
  *size = one->size;
  return MPI_SUCCESS;
}

int MPI_Type_size(MPI_Datatype type, int *size) {
  MPI_Count bytes = 0;
  const int rc = MPI_Type_size_x(type, &bytes);
  *size = bytes > INT_MAX ? MPI_UNDEFINED : (int)bytes;
  return rc;
}

int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent) {
  const Type *one = typesFind(type);
  if (one == NULL)
    return MPI_ERR_TYPE;
  *lower = one->lower;
  *extent = one->upper - one->lower;
  return MPI_SUCCESS;
}

int MPI_Type_get_extent_x(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent) {
  return MPI_Type_get_extent(type, lower, extent);
}

int MPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent) {
  const Type *one = typesFind(type);
  if (one == NULL)
    return MPI_ERR_TYPE;
  *lower = one->trueLower;
  *extent = one->trueUpper - one->trueLower;
  return MPI_SUCCESS;
}

int MPI_Type_get_true_extent_x(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent) {
  return MPI_Type_get_true_extent(type, lower, extent);
}

int MPI_Type_get_envelope(MPI_Datatype type, int *integers, int *addresses, int *types,
                          int *combiner) {
  const Type *one = typesFind(type);
  if (one == NULL)
    return MPI_ERR_TYPE;
  *integers = one->integerCount;
  *addresses = one->addressCount;
  *types = one->typeCount;
  *combiner = one->combiner;
  return MPI_SUCCESS;
}

int MPI_Type_get_contents(MPI_Datatype type, int mostIntegers, int mostAddresses, int mostTypes,
                          int *integers, MPI_Aint *addresses, MPI_Datatype *types) {
  const Type *one = typesFind(type);
  if (one == NULL || one->named != MPI_DATATYPE_NULL || mostIntegers < one->integerCount ||
      mostAddresses < one->addressCount || mostTypes < one->typeCount)
    return MPI_ERR_TYPE;
  memcpy(integers, one->integers, (size_t)one->integerCount * sizeof *integers);
  if (one->addressCount > 0)
    memcpy(addresses, one->addresses, (size_t)one->addressCount * sizeof *addresses);
  for (int i = 0; i < one->typeCount; i++)
    types[i] = typesHandle(one->types[i]);
  return MPI_SUCCESS;
}

// SPDX-License-Identifier: Apache-2.0
#include "types/NamedTypes.h"

#include <cstddef>

namespace forerun {

namespace {

struct NamedType {
  MPI_Datatype datatype;
  std::uint64_t bytes;
};

// The commonest first: the table is searched from its beginning.
const NamedType kNamedTypes[] = {
    {MPI_BYTE, 1},
    {MPI_DOUBLE, sizeof(double)},
    {MPI_CHAR, 1},
    {MPI_INT, sizeof(int)},
    {MPI_FLOAT, sizeof(float)},
    {MPI_LONG, sizeof(long)},
    {MPI_SIGNED_CHAR, 1},
    {MPI_UNSIGNED_CHAR, 1},
    {MPI_SHORT, sizeof(short)},
    {MPI_UNSIGNED_SHORT, sizeof(short)},
    {MPI_UNSIGNED, sizeof(int)},
    {MPI_UNSIGNED_LONG, sizeof(long)},
    {MPI_LONG_LONG, sizeof(long long)},
    {MPI_UNSIGNED_LONG_LONG, sizeof(long long)},
    {MPI_LONG_DOUBLE, sizeof(long double)},
    {MPI_WCHAR, sizeof(wchar_t)},
    {MPI_INT8_T, 1},
    {MPI_INT16_T, 2},
    {MPI_INT32_T, 4},
    {MPI_INT64_T, 8},
    {MPI_UINT8_T, 1},
    {MPI_UINT16_T, 2},
    {MPI_UINT32_T, 4},
    {MPI_UINT64_T, 8},
    {MPI_AINT, sizeof(MPI_Aint)},
    {MPI_OFFSET, sizeof(MPI_Offset)},
    {MPI_COUNT, sizeof(MPI_Count)},
    {MPI_C_BOOL, sizeof(bool)},
    {MPI_C_FLOAT_COMPLEX, 2 * sizeof(float)},
    {MPI_C_DOUBLE_COMPLEX, 2 * sizeof(double)},
};

template <typename Value> struct Pair {
  Value value;
  int index;
};

template <typename Value> constexpr PairType pairType(MPI_Datatype datatype) {
  return {datatype, sizeof(Value), offsetof(Pair<Value>, index), sizeof(int)};
}

const PairType kPairTypes[] = {
    pairType<float>(MPI_FLOAT_INT), pairType<double>(MPI_DOUBLE_INT),
    pairType<long>(MPI_LONG_INT),   pairType<int>(MPI_2INT),
    pairType<short>(MPI_SHORT_INT), pairType<long double>(MPI_LONG_DOUBLE_INT),
};

} // namespace

std::uint64_t namedTypeBytes(MPI_Datatype datatype) {
  for (const NamedType &named : kNamedTypes)
    if (named.datatype == datatype)
      return named.bytes;
  return 0;
}

const PairType *findPairType(MPI_Datatype datatype) {
  for (const PairType &pair : kPairTypes)
    if (pair.datatype == datatype)
      return &pair;
  return nullptr;
}

} // namespace forerun

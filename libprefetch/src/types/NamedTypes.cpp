// SPDX-License-Identifier: Apache-2.0
#include "types/NamedTypes.h"

#include <complex>
#include <cstddef>
#include <span>

namespace forerun {

namespace {

struct NamedType {
  MPI_Datatype datatype;
  std::uint64_t bytes;
  std::int64_t alignment;
};

template <typename Value> NamedType namedType(MPI_Datatype datatype) {
  return {datatype, sizeof(Value), alignof(Value)};
}

// The tables are filled when they are first asked: a handle can be the address of an object in an
// MPI library that is loaded later.

std::span<const NamedType> namedTypes() {
  // The most common first: the table is searched from its beginning.
  static const NamedType types[] = {
      namedType<char>(MPI_BYTE),
      namedType<double>(MPI_DOUBLE),
      namedType<char>(MPI_CHAR),
      namedType<int>(MPI_INT),
      namedType<float>(MPI_FLOAT),
      namedType<long>(MPI_LONG),
      namedType<char>(MPI_SIGNED_CHAR),
      namedType<char>(MPI_UNSIGNED_CHAR),
      namedType<short>(MPI_SHORT),
      namedType<short>(MPI_UNSIGNED_SHORT),
      namedType<int>(MPI_UNSIGNED),
      namedType<long>(MPI_UNSIGNED_LONG),
      namedType<long long>(MPI_LONG_LONG),
      namedType<long long>(MPI_UNSIGNED_LONG_LONG),
      namedType<long double>(MPI_LONG_DOUBLE),
      namedType<wchar_t>(MPI_WCHAR),
      namedType<std::int8_t>(MPI_INT8_T),
      namedType<std::int16_t>(MPI_INT16_T),
      namedType<std::int32_t>(MPI_INT32_T),
      namedType<std::int64_t>(MPI_INT64_T),
      namedType<std::uint8_t>(MPI_UINT8_T),
      namedType<std::uint16_t>(MPI_UINT16_T),
      namedType<std::uint32_t>(MPI_UINT32_T),
      namedType<std::uint64_t>(MPI_UINT64_T),
      namedType<MPI_Aint>(MPI_AINT),
      namedType<MPI_Offset>(MPI_OFFSET),
      namedType<MPI_Count>(MPI_COUNT),
      namedType<bool>(MPI_C_BOOL),
      namedType<std::complex<float>>(MPI_C_FLOAT_COMPLEX),
      namedType<std::complex<double>>(MPI_C_DOUBLE_COMPLEX),
  };
  return types;
}

template <typename Value> struct Pair {
  Value value;
  int index;
};

template <typename Value> PairType pairType(MPI_Datatype datatype) {
  return {datatype, sizeof(Value), offsetof(Pair<Value>, index), sizeof(int), alignof(Pair<Value>)};
}

std::span<const PairType> pairTypes() {
  static const PairType types[] = {
      pairType<float>(MPI_FLOAT_INT), pairType<double>(MPI_DOUBLE_INT),
      pairType<long>(MPI_LONG_INT),   pairType<int>(MPI_2INT),
      pairType<short>(MPI_SHORT_INT), pairType<long double>(MPI_LONG_DOUBLE_INT),
  };
  return types;
}

} // namespace

std::uint64_t namedTypeBytes(MPI_Datatype datatype) {
  for (const NamedType &named : namedTypes())
    if (named.datatype == datatype)
      return named.bytes;
  return 0;
}

std::int64_t namedTypeAlignment(MPI_Datatype datatype) {
  for (const NamedType &named : namedTypes())
    if (named.datatype == datatype)
      return named.alignment;
  const PairType *const pair = findPairType(datatype);
  return pair != nullptr ? pair->alignment : 0;
}

const PairType *findPairType(MPI_Datatype datatype) {
  for (const PairType &pair : pairTypes())
    if (pair.datatype == datatype)
      return &pair;
  return nullptr;
}

} // namespace forerun

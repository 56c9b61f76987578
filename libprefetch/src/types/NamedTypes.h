// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mpi.h>

/// \file
/// MPI's named datatypes for C, known without a call to MPI: in the steady state, prefetch calls
/// take no lock and allocate nothing.

namespace forerun {

/// Size in bytes of a named datatype of C that has no gaps; 0 for any other datatype. Safe on any
/// thread, also before MPI_Init.
std::uint64_t namedTypeBytes(MPI_Datatype datatype);

/// The alignment of a struct with a member of this type, named or a pair; 0 for any other type.
std::int64_t namedTypeAlignment(MPI_Datatype datatype);

/// A value and an index, for MPI_MAXLOC: the named types that can have gaps.
struct PairType {
  MPI_Datatype datatype;
  std::uint64_t valueBytes, indexOffset, indexBytes;
  std::int64_t alignment;
};

/// The layout of \p datatype if it is a pair type; otherwise null.
const PairType *findPairType(MPI_Datatype datatype);

} // namespace forerun

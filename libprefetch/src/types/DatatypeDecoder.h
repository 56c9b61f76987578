// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "types/TypeMap.h"

#include <cstdint>
#include <mpi.h>
#include <optional>

/// \file
/// Takes a datatype apart with MPI's own inspection calls (MPI-4 section 5.1.13) and returns where
/// its bytes lie. Every combiner is known, in its int and its MPI_Count form; extents, with their
/// markers, are taken from MPI.
///
/// A type is a graph of others, and may name one of them many times, on each of its levels: taken
/// as a tree, a type of 40 levels can have 2^40 nodes. So each one is visited once, without
/// recursion (it may be nested deeper than a stack is), and within a budget of work (kMaxSteps of
/// TypeMap for all of them together).
///
/// Calls MPI (which may wait for MPI's own lock) and allocates: on the pre-execution thread only
/// inside PreThread::Unstoppable. Any datatype handle that MPI returns on the way is freed.

namespace forerun {

struct DecodedType {
  TypeMap map;
  std::uint64_t elementBytes = 0; ///< per basic element; 0: they differ, or are not known
  std::int64_t alignment = 0; ///< of the strictest element, which MPI does not tell; or kUnknown
};

/// Nothing if the datatype is overfull (see TypeMap), takes too much work, or is unknown to this
/// library.
std::optional<DecodedType> decodeDatatype(MPI_Datatype datatype);

/// Bytes of data in one element of \p datatype; 0 if invalid. Allocates nothing, and asks MPI only
/// about types of MPI's that are not named ones.
std::uint64_t typeBytes(MPI_Datatype datatype);

} // namespace forerun

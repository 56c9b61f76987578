// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <mpi.h>

/// \file
/// Handles for datatypes that MPI does not know, counted from 0; none of them is ever one of MPI's.
///  - Where handles are numbers (MPICH), those of MPI's kind "datatype" that are marked invalid, like
///    MPI_DATATYPE_NULL, from which they count up.
///  - Where they are addresses (Open MPI, the MPI standard), those of an array in which nothing lies: it
///    is never touched, and so takes addresses, but no memory.

namespace forerun {

#if defined(OPEN_MPI) || defined(MPI_ABI_VERSION)

inline constexpr std::size_t kMaxOwnHandles = std::size_t{1} << 26;
inline constinit char ownHandles[kMaxOwnHandles] = {};

inline MPI_Datatype ownHandle(std::size_t number) {
  return reinterpret_cast<MPI_Datatype>(&ownHandles[number]);
}

inline bool isOwnHandle(MPI_Datatype handle) {
  return reinterpret_cast<std::uintptr_t>(handle) - reinterpret_cast<std::uintptr_t>(ownHandles) <
         kMaxOwnHandles;
}

#else // MPICH

inline constexpr std::size_t kMaxOwnHandles = (std::size_t{1} << 26) - 2;

inline MPI_Datatype ownHandle(std::size_t number) {
  return MPI_DATATYPE_NULL + 1 + static_cast<MPI_Datatype>(number);
}

inline bool isOwnHandle(MPI_Datatype handle) {
  return handle > MPI_DATATYPE_NULL && handle <= ownHandle(kMaxOwnHandles - 1);
}

#endif

} // namespace forerun

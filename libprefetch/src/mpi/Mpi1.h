// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

/// \file
/// What MPI 3.0 removed, and MPICH still has, for old programs and those in Fortran: datatypes made by
/// MPI-1's constructors, and its markers of bounds, which a struct may contain.

namespace forerun {

#if defined(OPEN_MPI) || defined(MPI_ABI_VERSION)
inline constexpr int kHvectorInteger = -101, kHindexedInteger = -102, kStructInteger = -103;
inline bool isLowerMarker(MPI_Datatype) { return false; }
inline bool isUpperMarker(MPI_Datatype) { return false; }
#else
inline constexpr int kHvectorInteger = MPI_COMBINER_HVECTOR_INTEGER;
inline constexpr int kHindexedInteger = MPI_COMBINER_HINDEXED_INTEGER;
inline constexpr int kStructInteger = MPI_COMBINER_STRUCT_INTEGER;
inline bool isLowerMarker(MPI_Datatype type) { return type == MPI_LB; }
inline bool isUpperMarker(MPI_Datatype type) { return type == MPI_UB; }
#endif

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

/// \file
/// What MPI-1's constructors made of a datatype, as its combiner says. MPI 3.0 removed them; MPICH has
/// them for Fortran programs, the other interfaces have no such combiner.

namespace forerun {

#if defined(OPEN_MPI) || defined(MPI_ABI_VERSION)
inline constexpr int kHvectorInteger = -101, kHindexedInteger = -102, kStructInteger = -103;
#else
inline constexpr int kHvectorInteger = MPI_COMBINER_HVECTOR_INTEGER;
inline constexpr int kHindexedInteger = MPI_COMBINER_HINDEXED_INTEGER;
inline constexpr int kStructInteger = MPI_COMBINER_STRUCT_INTEGER;
#endif

} // namespace forerun

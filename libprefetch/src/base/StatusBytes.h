// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mpi.h>

/// \file
/// How many bytes a status reports, in MPICH's form: the pre-execution thread need not call MPI for
/// it, which it may not if MPI gives less than MPI_THREAD_MULTIPLE.

namespace forerun {

constexpr int kHalf = 32; ///< bits of the count in `count_lo`; the others are above `cancelled`

inline std::uint64_t statusBytes(const MPI_Status &status) {
  const auto high = static_cast<std::uint32_t>(status.count_hi_and_cancelled) >> 1;
  return static_cast<std::uint64_t>(high) << kHalf | static_cast<std::uint32_t>(status.count_lo);
}

inline void setStatusBytes(MPI_Status &status, std::uint64_t bytes) {
  status.count_lo = static_cast<int>(static_cast<std::uint32_t>(bytes));
  status.count_hi_and_cancelled = static_cast<int>(bytes >> kHalf << 1);
}

} // namespace forerun

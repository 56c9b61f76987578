// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <mpi.h>

/// \file
/// How many bytes a status reports, in the form of each interface: the pre-execution thread need not
/// call MPI for it, which it may not if MPI gives less than MPI_THREAD_MULTIPLE.

namespace forerun {

#if defined(OPEN_MPI)

inline std::uint64_t statusBytes(const MPI_Status &status) { return status._ucount; }

inline void setStatusBytes(MPI_Status &status, std::uint64_t bytes) {
  status._cancelled = 0;
  status._ucount = static_cast<std::size_t>(bytes);
}

#elif defined(MPI_ABI_VERSION)

/// The standard leaves what is in a status to each MPI. Those that only the slice sees have a mark and
/// the number; MPI itself is asked about others.
inline constexpr int kStatusMark = 0x466f7265;
constexpr int kHalf = 32; ///< bits of the number in each of two words

inline std::uint64_t statusBytes(const MPI_Status &status) {
  if (status.MPI_internal[0] == kStatusMark)
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(status.MPI_internal[2])) << kHalf |
           static_cast<std::uint32_t>(status.MPI_internal[1]);
  MPI_Count bytes = 0;
  const bool isKnown = PMPI_Get_elements_c(&status, MPI_BYTE, &bytes) == MPI_SUCCESS && bytes > 0;
  return isKnown ? static_cast<std::uint64_t>(bytes) : 0;
}

inline void setStatusBytes(MPI_Status &status, std::uint64_t bytes) {
  status.MPI_internal[0] = kStatusMark;
  status.MPI_internal[1] = static_cast<int>(static_cast<std::uint32_t>(bytes));
  status.MPI_internal[2] = static_cast<int>(bytes >> kHalf);
}

#else // MPICH

constexpr int kHalf = 32; ///< bits of the count in `count_lo`; the others are above `cancelled`

inline std::uint64_t statusBytes(const MPI_Status &status) {
  const auto high = static_cast<std::uint32_t>(status.count_hi_and_cancelled) >> 1;
  return static_cast<std::uint64_t>(high) << kHalf | static_cast<std::uint32_t>(status.count_lo);
}

inline void setStatusBytes(MPI_Status &status, std::uint64_t bytes) {
  status.count_lo = static_cast<int>(static_cast<std::uint32_t>(bytes));
  status.count_hi_and_cancelled = static_cast<int>(bytes >> kHalf << 1);
}

#endif

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ctime>

namespace forerun {

/// CPU time in nanoseconds, of the calling thread or on the clock of another. Any thread; a system
/// call.
inline std::uint64_t cpuNs(clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  timespec used{};
  clock_gettime(clock, &used);
  return static_cast<std::uint64_t>(used.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(used.tv_nsec);
}

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

namespace forerun {

/// Nanoseconds on the clock that all times of libcache and libprefetch are on. Any thread.
inline std::uint64_t nowNs() {
  const auto sinceStart = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(sinceStart).count());
}

} // namespace forerun

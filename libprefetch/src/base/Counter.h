// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace forerun {

/// A figure for the report: any thread adds to it, and no thread bases a decision on it.
using Counter = std::atomic<std::uint64_t>;

inline void increment(Counter &counter, std::uint64_t by = 1) {
  counter.fetch_add(by, std::memory_order_relaxed);
}
inline std::uint64_t read(const Counter &counter) {
  return counter.load(std::memory_order_relaxed);
}

} // namespace forerun

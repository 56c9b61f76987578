// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// What the memory of a pool consists of: words that several processes change, and bytes that they
/// copy out of it. The exploration of all interleavings (tests/explore) has its own types.

#ifdef FORERUN_EXPLORED
#include FORERUN_EXPLORED
#else

#include "forerun/GuardedCopy.h"

#include <atomic>
#include <cstddef>

namespace forerun {

template <typename T> using Shared = std::atomic<T>;

/// False: \p to, which is the program's, could not be written to.
inline bool copyOut(void *to, const void *from, std::size_t bytes) {
  return copyGuarded(to, from, bytes);
}

} // namespace forerun

#endif

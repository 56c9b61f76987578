// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Record.h"
#include "channels/PrefetchDistance.h"
#include "channels/Progress.h"
#include "thread/Arena.h"

#include <cstddef>
#include <cstdint>

/// \file
/// Holds the pre-execution thread when it is too many calls ahead of the main thread. Keeps the
/// thread's last calls in a ring that is as long as the leash.
///
/// The length may change at any time (by the hints of the first file, or since predictions fail). The
/// ring is then rebuilt, with the calls that it held, when the thread comes to its next call. It
/// lies in the thread's arena, so neither takes a lock. Belongs to that thread.

namespace forerun {

class Leash {
public:
  explicit Leash(const PrefetchDistance &length) : length_(length) {}

  /// Waits while the thread is too many calls ahead, \p call included, but at most until \p call
  /// has been passed. False: no memory.
  bool hold(CallId call, Progress &progress, Arena &arena);
  /// Whether `hold` would wait.
  bool isTaut(const Progress &progress) const {
    return size_ != 0 && !progress.hasPassed(ring_[next_]);
  }

private:
  bool resize(std::size_t size, Arena &arena);

  const PrefetchDistance &length_;
  CallId *ring_ = nullptr; ///< from `next_` on, oldest first; unused entries hold a passed call
  std::size_t size_ = 0, next_ = 0;
};

} // namespace forerun

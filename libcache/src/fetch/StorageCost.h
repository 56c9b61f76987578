// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/RecentMean.h"
#include "forerun/Mutex.h"

#include <algorithm>
#include <cstdint>

namespace forerun {

/// What the storage costs: the recent mean time from passing a request to a file system until its
/// bytes have come, including its wait there after other requests of any process.
/// Threads: every function from any thread.
class StorageCost {
public:
  void took(std::uint64_t ns) {
    const MutexLock lock(mutex_);
    mean_.add(static_cast<double>(ns));
  }
  /// Whether bytes are known to come from there in less than \p ns.
  bool isLessThan(std::uint64_t ns) const {
    const MutexLock lock(mutex_);
    return mean_.isFull() && mean_.value() < static_cast<double>(ns);
  }

private:
  mutable Mutex mutex_;
  RecentMean<16> mean_ FORERUN_GUARDED_BY(mutex_);
};

/// What a request takes that has the storage to itself, as the program's own reads have it: many at
/// once wait for each other there, and that wait is not latency that was hidden from the program.
/// Threads: none of its own.
class AloneCost {
public:
  /// A request took \p ns; \p inFlight were, with it, when it was issued.
  void took(std::uint64_t ns, unsigned inFlight) {
    if (inFlight <= kFew)
      mean_.add(static_cast<double>(ns));
  }
  /// What a request that took \p ns would have taken, at most.
  std::uint64_t without(std::uint64_t ns) const {
    return mean_.isEmpty() ? ns : std::min(ns, static_cast<std::uint64_t>(mean_.value()));
  }

private:
  static constexpr unsigned kFew = 2;
  RecentMean<32> mean_;
};

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_STORAGECOST_H
#define FORERUN_STORAGECOST_H

#include "base/RecentMean.h"
#include "forerun/Mutex.h"

#include <cstdint>

/// \file
/// What the storage costs: the recent mean time from passing a request to a file system until its
/// bytes have come, including its wait there after other requests of any process.
/// Threads: every function from any thread.

namespace forerun {

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

} // namespace forerun

#endif

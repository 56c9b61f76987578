// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_STORAGECOST_H
#define FORERUN_STORAGECOST_H

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
    count_ += count_ < kLate ? 1 : 0;
    mean_ += (static_cast<double>(ns) - mean_) / count_;
  }
  /// Whether bytes are known to come from there in less than \p ns.
  bool isLessThan(std::uint64_t ns) const {
    const MutexLock lock(mutex_);
    return count_ == kLate && mean_ < static_cast<double>(ns);
  }

private:
  static constexpr unsigned kLate = 16; ///< number of requests that count

  mutable Mutex mutex_;
  double mean_ FORERUN_GUARDED_BY(mutex_) = 0;
  unsigned count_ FORERUN_GUARDED_BY(mutex_) = 0;
};

} // namespace forerun

#endif

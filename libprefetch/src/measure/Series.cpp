// SPDX-License-Identifier: Apache-2.0
#include "measure/Series.h"

namespace forerun {

void IntervalFigures::widen(std::uint64_t length) {
  for (; lengthNs < length; lengthNs *= 2) {
    for (std::size_t n = 0; n < kIntervals / 2; ++n) {
      intervals[n] = intervals[2 * n];
      intervals[n] += intervals[2 * n + 1];
    }
    for (std::size_t n = kIntervals / 2; n < kIntervals; ++n)
      intervals[n] = {};
  }
}

void IntervalFigures::add(std::uint64_t sinceStartNs, const ReadFigures &read) {
  widen(sinceStartNs / kIntervals + 1);
  intervals[sinceStartNs / lengthNs] += read;
}

void Series::start(std::uint64_t nowNs) {
  const MutexLock lock(mutex_);
  startNs_ = nowNs;
}

void Series::add(std::uint64_t nowNs, const ReadFigures &read) {
  const MutexLock lock(mutex_);
  figures_.add(nowNs > startNs_ ? nowNs - startNs_ : 0, read);
}

IntervalFigures Series::figures() const {
  const MutexLock lock(mutex_);
  return figures_;
}

} // namespace forerun

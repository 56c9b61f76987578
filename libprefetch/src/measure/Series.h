// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Mutex.h"
#include "measure/ReadStats.h"

#include <array>
#include <cstddef>
#include <cstdint>

/// \file
/// What was read when: figures of intervals of equal length, from a start on. There are at most
/// kIntervals: when time exceeds them, each two become one. Any thread may add.

namespace forerun {

struct IntervalFigures {
  static constexpr std::size_t kIntervals = 128;

  std::uint64_t lengthNs = 1'000'000; ///< of an interval
  std::array<ReadFigures, kIntervals> intervals{};

  void add(std::uint64_t sinceStartNs, const ReadFigures &read);
  /// Doubles the length until it is at least \p length.
  void widen(std::uint64_t length);
};

class Series {
public:
  void start(std::uint64_t nowNs);
  void add(std::uint64_t nowNs, const ReadFigures &read);
  IntervalFigures figures() const;

private:
  mutable Mutex mutex_;
  std::uint64_t startNs_ FORERUN_GUARDED_BY(mutex_) = 0;
  IntervalFigures figures_ FORERUN_GUARDED_BY(mutex_);
};

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Mutex.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

/// \file
/// What happened when, in memory, for the trace. Bounded: the first kMaxEvents are kept, the rest
/// are counted. Any thread may add.

namespace forerun {

struct TimelineEvent {
  enum class Kind : std::uint8_t { Hit, Late, Miss, Announcement, Prefetch, DemandFetch };

  std::uint64_t startNs = 0, endNs = 0; ///< CLOCK_MONOTONIC
  std::uint64_t offset = 0, length = 0;
  std::uint32_t file = 0; ///< FileStats::index
  std::int32_t site = -1; ///< call site of an announcement
  Kind kind = Kind::Hit;
  bool failed = false;
};

class Timeline {
public:
  static constexpr std::size_t kMaxEvents = std::size_t{1} << 16;

  void add(const TimelineEvent &event);
  std::vector<TimelineEvent> take(); ///< ends the recording
  std::uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

private:
  Mutex mutex_;
  std::vector<TimelineEvent> events_ FORERUN_GUARDED_BY(mutex_);
  std::atomic<std::uint64_t> lost_{0};
};

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#include "measure/Timeline.h"

#include <new>
#include <utility>

namespace forerun {

void Timeline::add(const TimelineEvent &event) {
  const MutexLock lock(mutex_);
  bool isKept = events_.size() < kMaxEvents;
  try {
    if (isKept)
      events_.push_back(event);
  } catch (const std::bad_alloc &) {
    isKept = false;
  }
  if (!isKept)
    lost_.fetch_add(1, std::memory_order_relaxed);
}

std::vector<TimelineEvent> Timeline::take() {
  const MutexLock lock(mutex_);
  return std::exchange(events_, {});
}

} // namespace forerun

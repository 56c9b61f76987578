// SPDX-License-Identifier: Apache-2.0
#include "measure/Timeline.h"

#include <new>
#include <utility>

namespace forerun {

void Timeline::add(const TimelineEvent &event) {
  const MutexLock lock(mutex_);
  try {
    if (events_.size() < kMaxEvents) {
      events_.push_back(event);
      return;
    }
  } catch (const std::bad_alloc &) { // lost like those that are too many
  }
  lost_.fetch_add(1, std::memory_order_relaxed);
}

std::vector<TimelineEvent> Timeline::take() {
  const MutexLock lock(mutex_);
  return std::exchange(events_, {});
}

} // namespace forerun

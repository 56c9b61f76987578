// SPDX-License-Identifier: Apache-2.0
#include "courier/FirstLatency.h"

namespace forerun {

void FirstLatency::show() {
  if (!shown_.exchange(true))
    event_.notify();
}

void FirstLatency::noteFastRead() {
  const unsigned before = evidence_.load(std::memory_order_relaxed);
  if (before != 0)
    evidence_.store(before - 1, std::memory_order_relaxed);
}

void FirstLatency::noteSlowRead(bool beyondDoubt) {
  constexpr unsigned kDoubt = kSlowReads / kReadsSlowBeyondDoubt;
  const unsigned now = evidence_.load(std::memory_order_relaxed) +
                       (beyondDoubt ? kDoubt * kSlowWeight : kSlowWeight);
  evidence_.store(now, std::memory_order_relaxed);
  if (now >= kSlowReads * kSlowWeight)
    show();
}

bool FirstLatency::awaitFor(std::uint64_t nanoseconds) {
  const auto key = event_.prepare();
  if (isShown())
    event_.cancel();
  else
    event_.wait(key, nanoseconds);
  return isShown();
}

} // namespace forerun

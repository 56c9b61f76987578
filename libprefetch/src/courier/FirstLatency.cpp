// SPDX-License-Identifier: Apache-2.0
#include "courier/FirstLatency.h"

namespace forerun {

void FirstLatency::show() {
  if (!shown_.exchange(true))
    event_.notify();
}

void FirstLatency::noteSlowRead(bool beyondDoubt) {
  if (evidence_.noteSlow(beyondDoubt ? kSlowReads / kReadsSlowBeyondDoubt : 1) >= kSlowReads)
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

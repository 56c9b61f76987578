// SPDX-License-Identifier: Apache-2.0
#include "thread/CpuTicks.h"

#include "thread/CpuThrottle.h"

#include <unistd.h>

namespace forerun {

void CpuTicks::start(int signal, void *owner) {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal;
  event.sigev_value.sival_ptr = owner;
  event._sigev_un._tid = gettid();
  runs_ = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) == 0;
  if (!runs_)
    return;
  const timespec tick{0, CpuThrottle::kTickNs};
  const itimerspec period{tick, tick};
  timer_settime(timer_, 0, &period, nullptr);
}

void CpuTicks::stop() {
  if (runs_)
    timer_delete(timer_);
}

bool CpuTicks::isOverdue(unsigned seconds) {
  constexpr unsigned kTicksPerSecond = 1'000'000'000 / CpuThrottle::kTickNs;
  const auto calls = calls_.load(std::memory_order_relaxed);
  quietTicks_ = calls == callsAtTick_ ? quietTicks_ + 1 : 0;
  callsAtTick_ = calls;
  return seconds != 0 && quietTicks_ / kTicksPerSecond >= seconds;
}

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#include "thread/CpuThrottle.h"

#include "base/CpuClock.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

namespace forerun {

bool CpuThrottle::isContended(const Counts &window) {
  return window.interruptions * kTickNs >= window.ownNs;
}

bool CpuThrottle::isHeavy(const Counts &window) {
  return window.ownNs / window.ownCalls * kShareOfProgram > window.programNs / window.programCalls;
}

CpuThrottle::CpuThrottle(const Progress &progress)
    : progress_(progress), canMeasure_(pthread_getcpuclockid(pthread_self(), &mainThread_) == 0) {}

CpuThrottle::Counts CpuThrottle::now() const {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return {.ownNs = cpuNs(),
          .ownCalls = calls_.load(std::memory_order_relaxed),
          .programNs = cpuNs(mainThread_),
          .programCalls = progress_.passes(),
          .interruptions = static_cast<std::uint64_t>(usage.ru_nivcsw)};
}

void CpuThrottle::tick() {
  if (!canMeasure_ || isThrottled())
    return;
  const Counts counts = now();
  silentTicks_ = counts.ownCalls == callsAtTick_ ? silentTicks_ + 1 : 0;
  callsAtTick_ = counts.ownCalls;
  const Counts window{.ownNs = counts.ownNs - before_.ownNs,
                      .ownCalls = counts.ownCalls - before_.ownCalls,
                      .programNs = counts.programNs - before_.programNs,
                      .programCalls = counts.programCalls - before_.programCalls,
                      .interruptions = counts.interruptions - before_.interruptions};
  const bool isSilent = silentTicks_ >= kSilentTicks;
  if (!isSilent && (window.ownCalls < kCallsInWindow || window.programCalls < kCallsInWindow))
    return; // the window goes on
  before_ = counts;
  heavyWindows_ = isContended(window) && (isSilent || isHeavy(window)) ? heavyWindows_ + 1 : 0;
  if (heavyWindows_ == kHeavyWindows)
    throttle();
}

void CpuThrottle::throttle() {
  const sched_param none{};
  sched_setscheduler(0, SCHED_IDLE, &none); // of this thread
  isRestrained_.store(true, std::memory_order_relaxed);
}

} // namespace forerun

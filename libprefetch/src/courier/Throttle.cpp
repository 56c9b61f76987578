// SPDX-License-Identifier: Apache-2.0
#include "courier/Throttle.h"

#include <algorithm>

namespace forerun {
namespace {

constexpr std::uint64_t kSlowReadsToResume = 4;
constexpr std::uint64_t kMaxSlowReadsToResume = 4096;

} // namespace

void Throttle::probe(const CachedFile &file, std::uint64_t offset, std::uint64_t length) {
  const MutexLock lock(probeMutex_);
  probeFile_ = &file;
  probeOffset_ = offset;
  probeEnd_ = offset + length;
  probeOut_.store(true, std::memory_order_release);
}

void Throttle::forgetProbe() { probeOut_.store(false, std::memory_order_release); }

void Throttle::noteResident() {
  const MutexLock lock(probeMutex_);
  noteFastProbe();
}

bool Throttle::fetched(const FetchEvent &event) {
  if (!probeIsOut())
    return false;
  const MutexLock lock(probeMutex_);
  if (!probeIsOut() || event.file != probeFile_ || event.offset >= probeEnd_ ||
      event.offset + event.length <= probeOffset_)
    return false;
  if (event.rc == FORERUN_OK)
    noteProbe(event);
  probeOut_.store(false, std::memory_order_release);
  return true;
}

void Throttle::noteProbe(const FetchEvent &event) {
  const std::uint64_t elapsedNs = event.finishedNs - event.issuedNs;
  if (isFast(event.length, elapsedNs)) {
    noteFastProbe();
    return;
  }
  fastProbes_ = 0;
  ++slowProbes_;
  // What was announced before may still be in flight: then this is the time of a queue.
  const bool latencyIsThere =
      isSlowBeyondDoubt(event.length, elapsedNs / event.inFlight) || slowProbes_ >= kSlowProbes;
  if (!latencyIsThere)
    return;
  first_.show();
  if (moveFrom(State::Probing, State::Running))
    latencyToResume_.store(kSlowReadsToResume, std::memory_order_relaxed);
}

void Throttle::noteFastProbe() {
  slowProbes_ = 0;
  if (++fastProbes_ < kFastProbes)
    return;
  fastProbes_ = 0;
  latency_.forget();
  if (moveFrom(State::Probing, State::Suspended))
    suspensions_.fetch_add(1, std::memory_order_relaxed);
}

void Throttle::noteCall() {
  if (state() != State::Running || ++callsSinceProbing_ < callsBetweenProbings_)
    return;
  callsSinceProbing_ = 0;
  callsBetweenProbings_ = std::min(callsBetweenProbings_ * 4, kMaxCallsBetweenProbings);
  moveFrom(State::Running, State::Probing);
}

void Throttle::noteRetired(std::uint64_t calls, std::uint64_t bytes, std::uint64_t servedBytes) {
  if (fixed_)
    return;
  judgedCalls_ += calls;
  judgedBytes_ += bytes;
  if (judgedCalls_ < kJudgedCalls)
    return;
  judge(servedBytes);
  judgedCalls_ = judgedBytes_ = 0;
  servedBefore_ = servedBytes;
}

void Throttle::judge(std::uint64_t servedBytes) {
  const unsigned failures = failures_.load(std::memory_order_relaxed);
  if ((servedBytes - servedBefore_) * 2 >= judgedBytes_) {
    failures_.store(failures != 0 ? failures - 1 : 0, std::memory_order_relaxed);
    return;
  }
  failures_.store(failures + 1, std::memory_order_relaxed);
  if (failures + 1 >= kMaxFailures)
    state_.store(State::Stopped, std::memory_order_release);
}

void Throttle::missedAtFirst(std::uint64_t bytes, std::uint64_t elapsedNs) {
  if (isFast(bytes, elapsedNs))
    first_.noteFastRead();
  else
    first_.noteSlowRead(isSlowBeyondDoubt(bytes, elapsedNs));
}

bool Throttle::missedWhileSuspended(std::uint64_t bytes, std::uint64_t elapsedNs) {
  if (isFast(bytes, elapsedNs)) {
    latency_.noteFast();
    return false;
  }
  const std::uint64_t needed = latencyToResume_.load(std::memory_order_relaxed);
  if (latency_.noteSlow() < needed)
    return false;
  latencyToResume_.store(std::min(needed * 2, kMaxSlowReadsToResume), std::memory_order_relaxed);
  return moveFrom(State::Suspended, State::Probing);
}

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#include "fetch/InFlightLimit.h"

#include <algorithm>

namespace forerun {

namespace {

constexpr unsigned kMinInFlight = 2;
constexpr unsigned kMinWindowCompletions = 32;
constexpr std::uint64_t kMinWindowNs = 4'000'000; ///< shorter ones measure the scheduler
constexpr double kQueueingLatency = 1.5;          ///< multiple of the lowest latency
constexpr double kSameRate = 0.95;                ///< a rate that counts as no worse
constexpr double kBetterRate = 1.05;

} // namespace

unsigned InFlightLimit::lessThanNow() const {
  return std::max(std::min(kMinInFlight, limit_), limit_ - limit_ / 4);
}

unsigned InFlightLimit::moreThanNow() const { return std::min(max_, limit_ + limit_ / 3 + 1); }

void InFlightLimit::beginWindow() {
  toSkip_ = limit_;
  counted_ = 0;
  windowBytes_ = latencySumNs_ = 0;
}

void InFlightLimit::finished(std::size_t bytes, std::uint64_t latencyNs, std::uint64_t nowNs,
                             bool backlog) {
  minLatencyNs_ = std::min(minLatencyNs_, latencyNs);
  if (!backlog) {
    if (phase_ != Phase::Holding)
      limit_ = held_;
    phase_ = Phase::Holding;
    beginWindow();
    return;
  }
  if (toSkip_ > 0) {
    --toSkip_;
    windowBeganNs_ = nowNs;
    return;
  }
  ++counted_;
  windowBytes_ += bytes;
  latencySumNs_ += latencyNs;
  std::uint64_t elapsedNs = nowNs - windowBeganNs_;
  if (counted_ < std::max(2 * limit_, kMinWindowCompletions) || elapsedNs < kMinWindowNs)
    return;
  judge(static_cast<double>(windowBytes_) / static_cast<double>(elapsedNs),
        latencySumNs_ / counted_);
  beginWindow();
}

void InFlightLimit::judge(double bytesPerNs, std::uint64_t meanLatencyNs) {
  switch (phase_) {
  case Phase::Holding:
    heldBytesPerNs_ = bytesPerNs;
    usualBytesPerNs_ = (std::max(usualBytesPerNs_, bytesPerNs) + bytesPerNs) / 2;
    choose(meanLatencyNs);
    return;
  case Phase::TryingLess:
    if (bytesPerNs < usualBytesPerNs_ * kSameRate)
      return giveUp(less_);
    less_.reset();
    break;
  case Phase::TryingMore:
    if (bytesPerNs < heldBytesPerNs_ * kBetterRate)
      return giveUp(more_);
    more_.reset();
    break;
  }
  phase_ = Phase::Holding;
  usualBytesPerNs_ = bytesPerNs;
}

void InFlightLimit::choose(std::uint64_t meanLatencyNs) {
  bool queueing =
      static_cast<double>(meanLatencyNs) > static_cast<double>(minLatencyNs_) * kQueueingLatency;
  if (moreThanNow() != limit_ && more_.over())
    attempt(Phase::TryingMore, moreThanNow());
  else if (queueing && lessThanNow() != limit_ && less_.over())
    attempt(Phase::TryingLess, lessThanNow());
}

void InFlightLimit::attempt(Phase next, unsigned value) {
  phase_ = next;
  held_ = limit_;
  limit_ = value;
}

void InFlightLimit::giveUp(Backoff &backoff) {
  limit_ = held_;
  phase_ = Phase::Holding;
  backoff.inVain();
}

} // namespace forerun

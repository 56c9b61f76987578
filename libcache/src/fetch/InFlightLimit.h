// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

/// \file
/// How many transfers the storage gets at once: a hill climb on throughput, below a given cap.
///
/// Too few in flight costs throughput, which is what hides latency; too many costs only the latency
/// of a demand fetch that queues in the storage after prefetches. So the limit starts at the cap,
/// and leaves it only for a proven gain:
///  - Windows of completions are measured while more is queued than may be issued (otherwise the
///    limit does not bind, and nothing can be learnt). Completions of transfers issued under an
///    earlier limit are not counted.
///  - If latency is well above the lowest ever seen, requests may be queueing in the storage: one
///    window is tried with a quarter less. If throughput stays, the lower limit stays; if not, the
///    old one comes back and the next try waits twice as long. So a storage that really takes as
///    many as it gets loses next to nothing to the tries.
///  - Below the cap a window with a third more is tried from time to time, and kept if throughput
///    rises. These tries stay frequent: they cost nothing.
/// Latency alone never lowers the limit: hits and misses of the storage's own caches differ by
/// orders of magnitude, and would pull a limit that trusts latency (as TCP Vegas does) down to
/// nothing.
///
/// Threads: protected by the owner's lock.

namespace forerun {

class InFlightLimit {
public:
  explicit InFlightLimit(unsigned maxInFlight) : max_(maxInFlight), limit_(maxInFlight) {
    beginWindow();
  }

  unsigned value() const { return limit_; }

  /// A transfer has finished. \p backlog: others wait because of the limit.
  void finished(std::size_t bytes, std::uint64_t latencyNs, std::uint64_t nowNs, bool backlog);

private:
  enum class Phase { Holding, TryingLess, TryingMore };

  /// The wait for the next try, in windows, doubles with each failed try.
  struct Backoff {
    unsigned first, longest;
    unsigned wait = first, left = first;
    bool over() {
      left -= left > 0 ? 1 : 0;
      return left == 0;
    }
    void inVain() { left = wait = std::min(wait * 2, longest); }
    void reset() { wait = left = first; }
  };

  void beginWindow();
  void judge(double bytesPerNs, std::uint64_t meanLatencyNs);
  void choose(std::uint64_t meanLatencyNs);
  void attempt(Phase next, unsigned value);
  void giveUp(Backoff &backoff);
  unsigned lessThanNow() const;
  unsigned moreThanNow() const;

  const unsigned max_;
  unsigned limit_;
  Phase phase_ = Phase::Holding;
  unsigned held_ = 0;            ///< the limit to return to after a failed try
  double heldBytesPerNs_ = 0.0;  ///< what that limit reached in the last window...
  double usualBytesPerNs_ = 0.0; ///< ...and in those before: one disturbed window is no measure
  std::uint64_t minLatencyNs_ = UINT64_MAX;
  Backoff less_{.first = 2, .longest = 256};
  Backoff more_{.first = 4, .longest = 32};

  unsigned toSkip_ = 0, counted_ = 0;
  std::uint64_t windowBytes_ = 0, latencySumNs_ = 0, windowBeganNs_ = 0;
};

} // namespace forerun

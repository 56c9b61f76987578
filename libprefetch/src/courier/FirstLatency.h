// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/EventCount.h"
#include "courier/LatencyEvidence.h"

#include <atomic>
#include <cstdint>

/// \file
/// Whether this program has met latency at all, for what is not worth its start-up where there is
/// none to hide: the pre-execution thread makes no twin of a library before.
///
/// A read that is slow beyond doubt is twice the evidence of one that is slow. Once shown it stays shown. Threads: any; one may wait,
/// and may be ended meanwhile.

namespace forerun {

class FirstLatency {
public:
  static constexpr unsigned kSlowReads = 4, kReadsSlowBeyondDoubt = 2; ///< either is enough

  void show(); ///< whatever has been read
  void noteFastRead() { evidence_.noteFast(); }
  void noteSlowRead(bool beyondDoubt);

  bool isShown() const { return shown_.load(std::memory_order_acquire); }
  /// There was a slow read, and the next ones decide.
  bool isSuspected() const { return evidence_.isAny() && !isShown(); }
  /// Sleeps until it is shown, or for that long. Returns whether it is shown.
  bool awaitFor(std::uint64_t nanoseconds);

private:
  std::atomic<bool> shown_{false};
  LatencyEvidence evidence_;
  EventCount event_;
};

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_FIRSTLATENCY_H
#define FORERUN_FIRSTLATENCY_H

#include "base/EventCount.h"

#include <atomic>
#include <cstdint>

/// \file
/// Whether this program has met latency at all, for what is not worth its start-up where there is
/// none to hide: the pre-execution thread makes no twin of a library before.
///
/// Evidence is in reads of the main thread: a slow one weighs as much as several fast ones, one
/// that is slow beyond doubt twice as much. Once shown it stays shown. Threads: any; one may wait,
/// and may be ended meanwhile.

namespace forerun {

class FirstLatency {
public:
  /// A slow read weighs as much as this many fast ones: fewer than 1 in 5 is noise.
  static constexpr unsigned kSlowWeight = 4;
  static constexpr unsigned kSlowReads = 4, kReadsSlowBeyondDoubt = 2; ///< either is enough

  void show(); ///< whatever has been read
  void noteFastRead();
  void noteSlowRead(bool beyondDoubt);

  bool isShown() const { return shown_.load(std::memory_order_acquire); }
  /// There was a slow read, and the next ones decide.
  bool isSuspected() const { return evidence_.load(std::memory_order_relaxed) != 0 && !isShown(); }
  /// Sleeps until it is shown, or for that long. Returns whether it is shown.
  bool awaitFor(std::uint64_t nanoseconds);

private:
  std::atomic<bool> shown_{false};
  std::atomic<unsigned> evidence_{0}; ///< approximate if several threads read at once
  EventCount event_;
};

} // namespace forerun

#endif

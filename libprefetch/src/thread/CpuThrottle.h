// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/Progress.h"

#include <atomic>
#include <cstdint>
#include <ctime>

/// \file
/// Keeps the pre-execution thread from taking processor time that the program needs.
///
/// A slice that computes next to nothing runs as any thread does: where MPI waits by polling, it
/// must not have to wait for a core until that ends. A slice that computes about as much per call
/// as the program does can get ahead only while the program waits; on cores that are all busy it
/// would take half of the program's time. Once that has been observed, the thread runs only when no
/// other wants to (SCHED_IDLE). There is no way back: the system would not allow it.
///
/// The check runs on the thread's own processor time, by its timer: a sleeping thread costs
/// nothing. Cores count as busy when the system interrupts the thread for others.

namespace forerun {

class CpuThrottle {
public:
  static constexpr long kTickNs = 10'000'000;
  static constexpr unsigned kHeavyWindows = 3;        ///< in a row: the thread is restrained
  static constexpr std::uint64_t kCallsInWindow = 8;  ///< at least, of each thread
  static constexpr std::uint64_t kShareOfProgram = 4; ///< a quarter of the program's time is heavy
  /// In a row, without a call: the window ends, and is heavy if cores were scarce in it.
  static constexpr unsigned kSilentTicks = 50;

  /// What has happened, since the start or in a window.
  struct Counts {
    std::uint64_t ownNs = 0, ownCalls = 0;         ///< of the pre-execution thread
    std::uint64_t programNs = 0, programCalls = 0; ///< of the main thread
    std::uint64_t interruptions = 0;               ///< of the pre-execution thread, by another
  };
  /// Whether cores were so scarce in this window that the thread was interrupted in each tick.
  static bool isContended(const Counts &window);
  /// Whether a call costs the thread much compared with the program's. Requires calls of both.
  static bool isHeavy(const Counts &window);

  /// Made on the program's main thread.
  explicit CpuThrottle(const Progress &progress);

  // ---- the thread itself, and its signal handlers ----
  void arrived() {
    calls_.store(calls_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  /// After each kTickNs of its processor time.
  void tick();

  /// Any thread.
  bool isThrottled() const { return isRestrained_.load(std::memory_order_relaxed); }

private:
  Counts now() const;
  void throttle();

  const Progress &progress_;
  clockid_t mainThread_{};
  bool canMeasure_;
  std::atomic<std::uint64_t> calls_{0};
  std::atomic<bool> isRestrained_{false};

  // Touched by the handler only.
  Counts before_; ///< at the start of the window
  std::uint64_t callsAtTick_ = 0;
  unsigned silentTicks_ = 0, heavyWindows_ = 0; ///< in a row
};

} // namespace forerun

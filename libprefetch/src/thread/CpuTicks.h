// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

/// \file
/// Ticks of the pre-execution thread's own CPU clock, which stops while it sleeps, and the watchdog,
/// which counts them. Each tick is a signal to this thread alone.
/// Threads: the pre-execution thread and its signal handlers.

namespace forerun {

class CpuTicks {
public:
  /// On the thread that it ticks for. \p owner: the signal's value.
  void start(int signal, void *owner);
  void stop();

  /// The thread has called the runtime.
  void isAlive() { calls_.fetch_add(1, std::memory_order_relaxed); }
  /// At a tick: whether it has used so much CPU time since it last called the runtime; 0: never.
  bool isOverdue(unsigned seconds);

private:
  timer_t timer_{};
  bool runs_ = false;
  std::atomic<std::uint32_t> calls_{0}; ///< of the runtime
  std::uint32_t callsAtTick_ = 0;
  unsigned quietTicks_ = 0;
};

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

/// \file
/// Sleep until something changes, on a futex. `notify` costs two atomic operations and no system
/// call while nobody sleeps. Use: key = prepare(); if (condition) { cancel(); ... } else wait(key).
/// If a waiter is ended while it sleeps, only the count stays too high: later notifies cost a
/// system call, until the wait is abandoned.

namespace forerun {

class EventCount {
public:
  std::uint32_t prepare(); ///< counts a waiter in
  void cancel();           ///< the condition held after all
  /// Sleeps until a notify after prepare, or for \p timeoutNs (0: forever). Removes the waiter from
  /// the count.
  void wait(std::uint32_t key, std::uint64_t timeoutNs = 0);
  void notify();  ///< wakes all
  void abandon(); ///< the only thread that ever waited has ended

private:
  std::atomic<std::uint32_t> epoch_{0};
  std::atomic<std::uint32_t> waiters_{0};
};

} // namespace forerun

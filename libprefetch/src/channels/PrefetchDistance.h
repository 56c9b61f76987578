// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace forerun {

/// How far the pre-execution thread, and what it announces, may be ahead of the main thread: the
/// leash. The thread holds itself by calls (Leash), the courier holds announcements by calls and
/// bytes (Window). Any thread.
class PrefetchDistance {
public:
  explicit PrefetchDistance(std::uint64_t calls = 1024, std::uint64_t bytes = 0)
      : calls_(calls), bytes_(bytes) {}

  /// 0 calls: any number. 0 bytes: as many as the cache holds.
  void set(std::uint64_t calls, std::uint64_t bytes) {
    calls_.store(calls, std::memory_order_relaxed);
    bytes_.store(bytes, std::memory_order_relaxed);
  }
  /// Both are a fraction of it as long as predictions fail.
  void divideBy(unsigned divisor) { divisor_.store(divisor, std::memory_order_relaxed); }
  unsigned divisor() const { return divisor_.load(std::memory_order_relaxed); }

  bool isLimited() const { return calls_.load(std::memory_order_relaxed) != 0; }
  std::uint64_t calls() const { return divided(calls_.load(std::memory_order_relaxed)); }
  std::uint64_t bytes(std::uint64_t capacity) const {
    const std::uint64_t bytes = bytes_.load(std::memory_order_relaxed);
    return divided(bytes != 0 ? bytes : capacity);
  }

private:
  /// At least one, unless there is no limit.
  std::uint64_t divided(std::uint64_t value) const {
    return value == 0 ? 0 : std::max<std::uint64_t>(value / divisor(), 1);
  }

  std::atomic<std::uint64_t> calls_, bytes_;
  std::atomic<unsigned> divisor_{1};
};

} // namespace forerun

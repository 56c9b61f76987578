// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Record.h"

#include <atomic>
#include <cstdint>
#include <optional>

/// \file
/// The call of the main thread that a thread is waiting for, told to others without a lock: one
/// thread sets it, any thread reads it. A reader may see no call while it is changing, and reads
/// again when the thread that set it wakes the reader.

namespace forerun {

class AwaitedCall {
public:
  // In this order: a thread that sees the new site also sees the new occurrence.
  void set(CallId call) {
    site_.store(kNone);
    occurrence_.store(call.occurrence);
    site_.store(call.site);
  }
  void clear() { site_.store(kNone); }

  /// Whether the awaited call is among the first \p passed executions of \p site.
  bool isPassedBy(int site, std::uint64_t passed) const {
    return site_.load() == site && passed > occurrence_.load();
  }
  std::optional<CallId> get() const {
    const CallId call{site_.load(), occurrence_.load()};
    return call.site != kNone && call.site == site_.load() ? std::optional(call) : std::nullopt;
  }

private:
  static constexpr std::int32_t kNone = -1;
  std::atomic<std::int32_t> site_{kNone};
  std::atomic<std::uint64_t> occurrence_{0};
};

} // namespace forerun

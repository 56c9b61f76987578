// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_AWAITEDCALL_H
#define FORERUN_AWAITEDCALL_H

#include "base/Record.h"

#include <atomic>
#include <cstdint>
#include <optional>

/// \file
/// The call of the main thread that a thread is waiting for, told to others without a lock: one
/// thread sets it, any looks. Who looks just while it changes may see no call, and looks again when
/// the one that set it wakes it.

namespace forerun {

class AwaitedCall {
public:
  // In this order who sees the new site sees the new occurrence.
  void set(CallId call) {
    site_.store(kNone);
    occurrence_.store(call.occurrence);
    site_.store(call.site);
  }
  void clear() { site_.store(kNone); }

  /// Whether the pass that makes it \p passed at \p site is the awaited one, or later.
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

#endif

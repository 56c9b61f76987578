// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SHAREDFRAME_H
#define FORERUN_SHAREDFRAME_H

#include "pool/PageKey.h"

#include <atomic>
#include <cstdint>

/// \file
/// What all members of a pool see of one frame. Its holder writes; the others only count themselves.
///
/// Reading another's frame: pin it, then look at `open`. If it has the sectors, then key, `since` and
/// the bytes of these sectors stay until the pin ends; if not, look at nothing else. The holder closes
/// it (`open = 0`), and looks at `pins` after, before it changes any of that. Both orders are
/// sequentially consistent: the reader sees it closed, or the holder sees the pin. It is the rule of
/// Page.h, between processes.
///
/// A member that dies while it has pinned a frame keeps it from being used again, and no more. All
/// atomics are lock-free, and each is right by itself after every single store, so that a member may
/// die between any two.

namespace forerun {

struct alignas(64) SharedFrame {
  using Sectors = std::uint64_t; ///< one bit each

  std::atomic<std::uint64_t> high, low; ///< the page's key
  /// When the frame was given to the page (the node's clock, nanoseconds): its bytes were asked of
  /// the storage after that.
  std::atomic<std::uint64_t> since;
  std::atomic<Sectors> open;   ///< that others may read
  std::atomic<Sectors> coming; ///< on their way from the storage
  std::atomic<Sectors> used;   ///< that others have read
  std::atomic<std::uint16_t> pins;
  std::atomic<std::uint16_t> wanted;   ///< members that have announced a read of it
  std::atomic<std::uint32_t> arrivals; ///< grows with all that those wait for who sleep on it
  std::atomic<std::uint32_t> waiters;
  std::atomic<std::uint32_t> holder; ///< member

  bool is(const PageKey &key) const {
    return high.load(std::memory_order_acquire) == key.high &&
           low.load(std::memory_order_acquire) == key.low;
  }
};

static_assert(sizeof(SharedFrame) == 64);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free &&
              std::atomic<std::uint16_t>::is_always_lock_free);

} // namespace forerun

#endif

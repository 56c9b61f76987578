// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Geometry.h"
#include "pool/PageKey.h"
#include "pool/Shared.h"

#include <atomic>
#include <cstdint>

/// \file
/// What all members of a pool see of one frame. Its holder decides which page it is for; the holder
/// fills sectors of it, and so do *guests*, each only those that it has taken.
///
/// Using another member's frame: pin it, then check `live`. If it is set, key and `since` stay
/// until the pin ends, and so do the bytes of sectors that are then `lent` or `open`; if not, read
/// nothing else. The holder ends a page with `live = 0`, and takes its own sectors back with
/// `open = 0`; then it checks `pins` before it changes any of that. Both orders are sequentially
/// consistent: a member that pins sees the page ended or closed, or the holder sees the pin. It is
/// the rule of Page.h, between processes.
///
/// Only the member that has set a sector's bit in `taken` writes to it; it takes the bit back if
/// the bytes do not come. A guest keeps its pin until they have.
///
/// A member that dies while it has pinned a frame only keeps it from being reused; what it has
/// taken never comes. All atomics are lock-free, and each is consistent by itself after every
/// single store, so that a member may die between any two.

namespace forerun {

struct alignas(64) SharedFrame {

  Shared<std::uint64_t> high, low; ///< the page's key
  /// When the frame was given to the page (the node's clock, nanoseconds): its bytes were requested
  /// from the storage after that. If the key contains a name, they may have come from another node,
  /// which requested them after all had reached the open in which the file got the name: new enough
  /// for all that share the file under it, and nobody else knows the key.
  Shared<std::uint64_t> since;
  Shared<Sectors> taken;
  Shared<Sectors> open;    ///< the holder's, readable by others
  Shared<Sectors> coming;  ///< the holder's, being fetched from the storage
  Shared<Sectors> lent;    ///< guests', readable by all
  Shared<Sectors> lending; ///< guests', being fetched
  Shared<Sectors> used;    ///< that others have read
  Shared<std::uint16_t> pins;
  Shared<std::uint16_t> wanted;   ///< members that have announced a read of it
  Shared<std::uint32_t> arrivals; ///< grows with everything that those sleeping on it wait for
  Shared<std::uint32_t> waiters;
  Shared<std::uint32_t> holder; ///< member
  Shared<std::uint32_t> live;   ///< 1: it is in use for the page

  bool is(const PageKey &key) const {
    return high.load(std::memory_order_acquire) == key.high &&
           low.load(std::memory_order_acquire) == key.low;
  }
};

static_assert(sizeof(SharedFrame) == 128);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free &&
              std::atomic<std::uint16_t>::is_always_lock_free);

} // namespace forerun

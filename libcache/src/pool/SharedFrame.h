// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SHAREDFRAME_H
#define FORERUN_SHAREDFRAME_H

#include "pool/PageKey.h"
#include "pool/Shared.h"

#include <atomic>
#include <cstdint>

/// \file
/// What all members of a pool see of one frame. Its holder says what page it is for; sectors of it
/// are filled by the holder, and by *guests*, each of those that it has taken.
///
/// Using another's frame: pin it, then look at `live`. If it is, key and `since` stay until the pin
/// ends, and so do the bytes of sectors that are `lent` then, or `open`; if not, look at nothing
/// else. The holder ends a page with `live = 0`, and takes sectors of its own back with `open = 0`;
/// it looks at `pins` after, before it changes any of that. Both orders are sequentially consistent:
/// who pins sees it ended or closed, or the holder sees the pin. It is the rule of Page.h, between
/// processes.
///
/// A sector is written to by the member alone that has set its bit in `taken`; it takes the bit back
/// if the bytes do not come. A guest keeps its pin until they have.
///
/// A member that dies while it has pinned a frame keeps it from being used again, and no more; what
/// it has taken comes no more. All atomics are lock-free, and each is right by itself after every
/// single store, so that a member may die between any two.

namespace forerun {

struct alignas(64) SharedFrame {
  using Sectors = std::uint64_t; ///< one bit each

  Shared<std::uint64_t> high, low; ///< the page's key
  /// When the frame was given to the page (the node's clock, nanoseconds): its bytes were asked of
  /// the storage after that. Where the key contains a name, they may have come from another node,
  /// which asked for them after all had come to the open in which the file got the name: new enough
  /// for all who share the file under it, and nobody else knows the key.
  Shared<std::uint64_t> since;
  Shared<Sectors> taken;
  Shared<Sectors> open;    ///< the holder's, that others may read
  Shared<Sectors> coming;  ///< the holder's, on their way from the storage
  Shared<Sectors> lent;    ///< guests', that all may read
  Shared<Sectors> lending; ///< guests', on their way
  Shared<Sectors> used;    ///< that others have read
  Shared<std::uint16_t> pins;
  Shared<std::uint16_t> wanted;   ///< members that have announced a read of it
  Shared<std::uint32_t> arrivals; ///< grows with all that those wait for who sleep on it
  Shared<std::uint32_t> waiters;
  Shared<std::uint32_t> holder; ///< member
  Shared<std::uint32_t> live;   ///< 1: it is for the page

  bool is(const PageKey &key) const {
    return high.load(std::memory_order_acquire) == key.high &&
           low.load(std::memory_order_acquire) == key.low;
  }
};

static_assert(sizeof(SharedFrame) == 128);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free &&
              std::atomic<std::uint16_t>::is_always_lock_free);

} // namespace forerun

#endif

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Cache.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

/// \file
/// Which page is evicted when room is needed. A policy orders the slots (frames) that hold a page;
/// it knows neither files nor bytes, so that the simulator replays traces with the very class that
/// the cache uses.
///
/// Threads: none of its own; the caller serialises.

namespace forerun {

using Slot = std::uint32_t;

/// Value of `neededAt` for Policy::victims: room for something unannounced, so that no announced
/// page is evicted.
inline constexpr Sequence kUnannounced = std::numeric_limits<Sequence>::max();
/// Value of `neededAt`: room for what a reader waits for now; every announced use is later.
inline constexpr Sequence kNow = 0;

class Policy {
public:
  using Busy = std::function<bool(Slot)>;

  virtual ~Policy() = default;

  /// \p slot holds a page now; its next announced use is \p nextUse (0: none known).
  virtual void insert(Slot slot, Sequence nextUse) = 0;
  /// The page has been read.
  virtual void touch(Slot slot) = 0;
  /// The next announced use of the page has changed (0: none is known any more).
  virtual void announce(Slot slot, Sequence nextUse) = 0;
  /// \p slot no longer holds a page.
  virtual void erase(Slot slot) = 0;

  /// Appends to \p chosen up to \p count slots, the best to evict first, for something needed at
  /// \p neededAt. Leaves out slots that are \p busy. Changes nothing.
  virtual void victims(std::size_t count, Sequence neededAt, const Busy &busy,
                       std::vector<Slot> &chosen) const = 0;
};

} // namespace forerun

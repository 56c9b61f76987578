// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/ZeroedArray.h"
#include "policy/SlotRings.h"

#include <set>
#include <utility>
#include <vector>

/// \file
/// Replacement that knows the announced future (Belady's MIN, inside the announced window).
///
/// A page is in one of three orders, and the orders are evicted one after the other:
///  1. spent: it was announced, and its last announced use is over. As far as the pre-execution
///     thread knows, it has been read for the last time. Oldest first.
///  2. unknown: never announced, or read again after it was spent. Least recently read first (LRU).
///  3. announced: the page with the latest next use first, and only for something that is needed
///     before that use: a page that will be read sooner never makes room for one read later.
///
/// If the window covers the whole trace, 1 and 3 together are exactly MIN; if nothing is announced,
/// 2 alone is exactly LRU. A read of an announced page changes nothing and costs nothing here: its
/// place follows from its next use, which only `announce` changes.

namespace forerun {

class WindowPolicy final : public Policy {
public:
  explicit WindowPolicy(std::size_t slots) : nextUse_(slots), rings_(slots, 2) {}

  void insert(Slot slot, Sequence nextUse) override {
    nextUse_[slot] = nextUse;
    if (nextUse != 0)
      announced_.emplace(nextUse, slot);
    else
      rings_.pushBack(Unknown, slot);
  }
  void touch(Slot slot) override {
    if (nextUse_[slot] != 0)
      return;
    rings_.remove(slot);
    rings_.pushBack(Unknown, slot);
  }
  void announce(Slot slot, Sequence nextUse) override {
    const Sequence before = nextUse_[slot];
    if (before == nextUse)
      return;
    if (nextUse != 0)
      announced_.emplace(nextUse, slot); // first, since only this can fail
    erase(slot);
    nextUse_[slot] = nextUse;
    if (nextUse == 0)
      rings_.pushBack(Spent, slot);
  }
  void erase(Slot slot) override {
    if (nextUse_[slot] != 0)
      announced_.erase({nextUse_[slot], slot});
    else
      rings_.remove(slot);
    nextUse_[slot] = 0;
  }
  void victims(std::size_t count, Sequence neededAt, const Busy &busy,
               std::vector<Slot> &chosen) const override {
    const std::size_t full = chosen.size() + count;
    for (const Ring ring : {Spent, Unknown})
      for (Slot slot = rings_.first(ring); !rings_.atEnd(slot) && chosen.size() < full;
           slot = rings_.next(slot))
        if (!busy(slot))
          chosen.push_back(slot);
    for (auto latest = announced_.rbegin();
         latest != announced_.rend() && chosen.size() < full && latest->first > neededAt; ++latest)
      if (!busy(latest->second))
        chosen.push_back(latest->second);
  }

private:
  enum Ring : unsigned { Spent, Unknown };

  // A slot that holds a page is in announced_ if nextUse_ is not 0, otherwise in one of the rings.
  ZeroedArray<Sequence> nextUse_;
  std::set<std::pair<Sequence, Slot>> announced_;
  SlotRings rings_;
};

} // namespace forerun

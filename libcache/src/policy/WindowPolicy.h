// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_WINDOWPOLICY_H
#define FORERUN_WINDOWPOLICY_H

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
  struct Config {
    std::size_t slots;
  };

  explicit WindowPolicy(const Config &config) : nextUse_(config.slots), rings_(config.slots, 2) {}

  void insert(Slot slot, Sequence nextUse) override;
  void touch(Slot slot) override;
  void announce(Slot slot, Sequence nextUse) override;
  void erase(Slot slot) override;
  void victims(std::size_t count, Sequence neededAt, const Busy &busy,
               std::vector<Slot> &chosen) const override;

private:
  enum Ring : unsigned { Spent, Unknown };

  // A slot that holds a page is in announced_ if nextUse_ is not 0, otherwise in one of the rings.
  ZeroedArray<Sequence> nextUse_;
  std::set<std::pair<Sequence, Slot>> announced_;
  SlotRings rings_;
};

} // namespace forerun

#endif

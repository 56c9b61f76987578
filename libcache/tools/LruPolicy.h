// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/SlotRings.h"

/// \file
/// Least recently used: one list; a page moves to its end when it is read; the first is evicted. It
/// ignores announcements: it is the yardstick of the simulator.

namespace forerun {

class LruPolicy final : public Policy {
public:
  explicit LruPolicy(std::size_t slots) : order_(slots, 1) {}

  void insert(Slot slot, Sequence nextUse) override;
  void touch(Slot slot) override;
  void announce(Slot slot, Sequence nextUse) override;
  void erase(Slot slot) override;
  void victims(std::size_t count, Sequence neededAt, const Busy &busy,
               std::vector<Slot> &chosen) const override;

private:
  SlotRings order_; ///< ring 0: least recently read first
};

} // namespace forerun

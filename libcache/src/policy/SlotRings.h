// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/ZeroedArray.h"
#include "policy/Policy.h"

/// \file
/// Doubly linked lists of slots, without allocation after construction. A slot is in at most one of
/// the lists.

namespace forerun {

class SlotRings {
public:
  SlotRings(std::size_t slots, unsigned rings)
      : slots_(static_cast<Slot>(slots)), links_(slots + rings) {}

  void pushBack(unsigned ring, Slot slot) {
    const Slot head = slots_ + ring;
    const Slot last = previous(head);
    link(last, slot);
    link(slot, head);
  }
  /// Does nothing for a slot that is in no ring.
  void remove(Slot slot) {
    link(previous(slot), next(slot));
    links_[slot] = {};
  }

  Slot first(unsigned ring) const { return next(slots_ + ring); }
  Slot next(Slot slot) const { return links_[slot].next ^ slot; }
  bool atEnd(Slot slot) const { return slot >= slots_; }

private:
  /// Each is stored as the difference from the slot's own number: so zeros are slots that are in no
  /// ring, and rings that are empty.
  struct Link {
    Slot previous, next;
  };

  Slot previous(Slot slot) const { return links_[slot].previous ^ slot; }
  void link(Slot one, Slot other) {
    links_[one].next = other ^ one;
    links_[other].previous = one ^ other;
  }

  Slot slots_;
  ZeroedArray<Link> links_; ///< after the slots: one head per ring
};

} // namespace forerun

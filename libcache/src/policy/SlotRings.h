// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLOTRINGS_H
#define FORERUN_SLOTRINGS_H

#include "policy/Policy.h"

#include <vector>

/// \file
/// Doubly linked lists of slots, without allocation after construction. A slot is in at most one of
/// the lists.

namespace forerun {

class SlotRings {
public:
  SlotRings(std::size_t slots, unsigned rings)
      : slots_(static_cast<Slot>(slots)), links_(slots + rings) {
    for (Slot slot = 0; slot < links_.size(); ++slot)
      links_[slot] = {slot, slot};
  }

  void pushBack(unsigned ring, Slot slot) {
    const Slot head = slots_ + ring;
    const Slot last = links_[head].previous;
    links_[slot] = {last, head};
    links_[last].next = slot;
    links_[head].previous = slot;
  }
  /// Does nothing for a slot that is in no ring.
  void remove(Slot slot) {
    const Link link = links_[slot];
    links_[link.previous].next = link.next;
    links_[link.next].previous = link.previous;
    links_[slot] = {slot, slot};
  }

  Slot first(unsigned ring) const { return links_[slots_ + ring].next; }
  Slot next(Slot slot) const { return links_[slot].next; }
  bool atEnd(Slot slot) const { return slot >= slots_; }

private:
  struct Link {
    Slot previous, next;
  };
  Slot slots_;
  std::vector<Link> links_; ///< after the slots: one head for each ring
};

} // namespace forerun

#endif

// SPDX-License-Identifier: Apache-2.0
#include "LruPolicy.h"

namespace forerun {

void LruPolicy::insert(Slot slot, Sequence /*nextUse*/) { order_.pushBack(0, slot); }

void LruPolicy::touch(Slot slot) {
  order_.remove(slot);
  order_.pushBack(0, slot);
}

void LruPolicy::announce(Slot /*slot*/, Sequence /*nextUse*/) {}

void LruPolicy::erase(Slot slot) { order_.remove(slot); }

void LruPolicy::victims(std::size_t count, Sequence /*neededAt*/, const Busy &busy,
                        std::vector<Slot> &chosen) const {
  const std::size_t full = chosen.size() + count;
  for (Slot slot = order_.first(0); !order_.atEnd(slot) && chosen.size() < full;
       slot = order_.next(slot))
    if (!busy(slot))
      chosen.push_back(slot);
}

} // namespace forerun

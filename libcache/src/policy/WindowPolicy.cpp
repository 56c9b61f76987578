// SPDX-License-Identifier: Apache-2.0
#include "policy/WindowPolicy.h"

namespace forerun {

void WindowPolicy::insert(Slot slot, Sequence nextUse) {
  nextUse_[slot] = nextUse;
  if (nextUse != 0)
    announced_.emplace(nextUse, slot);
  else
    rings_.pushBack(Unknown, slot);
}

void WindowPolicy::touch(Slot slot) {
  if (nextUse_[slot] != 0)
    return;
  rings_.remove(slot);
  rings_.pushBack(Unknown, slot);
}

void WindowPolicy::announce(Slot slot, Sequence nextUse) {
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

void WindowPolicy::erase(Slot slot) {
  if (nextUse_[slot] != 0)
    announced_.erase({nextUse_[slot], slot});
  else
    rings_.remove(slot);
  nextUse_[slot] = 0;
}

void WindowPolicy::victims(std::size_t count, Sequence neededAt, const Busy &busy,
                           std::vector<Slot> &chosen) const {
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

} // namespace forerun

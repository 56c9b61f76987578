// SPDX-License-Identifier: Apache-2.0
#include "base/IntervalSet.h"

#include <iterator>
#include <new>

namespace forerun {

void IntervalSet::add(ByteRange range) {
  if (range.empty())
    return;
  auto next = ends_.upper_bound(range.begin);
  if (next != ends_.begin() && std::prev(next)->second >= range.begin)
    --next;
  while (next != ends_.end() && next->first <= range.end) {
    range = {std::min(range.begin, next->first), std::max(range.end, next->second)};
    next = ends_.erase(next);
  }
  try {
    ends_.emplace_hint(next, range.begin, range.end);
  } catch (const std::bad_alloc &) {
    unkept_ = unkept_.empty() ? range
                              : ByteRange{std::min(unkept_.begin, range.begin),
                                          std::max(unkept_.end, range.end)};
  }
}

bool IntervalSet::overlaps(ByteRange range) const {
  if (range.empty())
    return false;
  if (!unkept_.empty() && unkept_.begin < range.end && range.begin < unkept_.end)
    return true;
  const auto next = ends_.lower_bound(range.end);
  return next != ends_.begin() && std::prev(next)->second > range.begin;
}

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Geometry.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <new>

/// \file
/// A set of bytes of a file, kept as disjoint ranges that do not touch each other. If there is no
/// memory for another range it holds more bytes than were added, never fewer.

namespace forerun {

class IntervalSet {
public:
  void add(ByteRange range) {
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
  void clear() {
    ends_.clear();
    unkept_ = {};
  }

  bool empty() const { return ends_.empty() && unkept_.empty(); }
  bool overlaps(ByteRange range) const {
    if (range.empty())
      return false;
    if (!unkept_.empty() && unkept_.begin < range.end && range.begin < unkept_.end)
      return true;
    const auto next = ends_.lower_bound(range.end);
    return next != ends_.begin() && std::prev(next)->second > range.begin;
  }
  /// True if a byte at or after \p offset is in the set.
  bool reachesBeyond(std::uint64_t offset) const {
    return (!ends_.empty() && ends_.rbegin()->second > offset) ||
           (!unkept_.empty() && unkept_.end > offset);
  }

private:
  std::map<std::uint64_t, std::uint64_t> ends_; ///< begin -> end
  ByteRange unkept_{}; ///< from the first to the last byte for which memory was lacking
};

} // namespace forerun

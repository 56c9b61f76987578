// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_INTERVALSET_H
#define FORERUN_INTERVALSET_H

#include "base/Geometry.h"

#include <map>

/// \file
/// A set of bytes of a file, kept as disjoint ranges that do not touch each other. If there is no
/// memory for another range it holds more bytes than were added, never fewer.

namespace forerun {

class IntervalSet {
public:
  void add(ByteRange range);
  void clear() {
    ends_.clear();
    unkept_ = {};
  }

  bool empty() const { return ends_.empty() && unkept_.empty(); }
  bool overlaps(ByteRange range) const;
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

#endif

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Geometry.h"

#include <algorithm>
#include <vector>

/// \file
/// A set of sectors of one page: a bitmap, inside the object for pages up to 256 KiB (the hit path
/// touches one cache line less per set).

namespace forerun {

class SectorSet {
public:
  static constexpr unsigned kWordBits = 64;

  explicit SectorSet(unsigned sectorsPerPage) : others_((sectorsPerPage - 1) / kWordBits) {}

  bool has(unsigned sector) const { return (word(sector / kWordBits) >> (sector % kWordBits)) & 1; }
  bool hasAll(SectorRange range) const {
    return every(range, [](Sectors word, Sectors mask) { return (word & mask) == mask; });
  }
  bool hasAny(SectorRange range) const {
    return !every(range, [](Sectors word, Sectors mask) { return (word & mask) == 0; });
  }
  bool empty() const {
    return first_ == 0 && std::ranges::all_of(others_, [](Sectors word) { return word == 0; });
  }

  void add(SectorRange range) {
    each(range, [](Sectors &word, Sectors mask) { word |= mask; });
  }
  void remove(SectorRange range) {
    each(range, [](Sectors &word, Sectors mask) { word &= ~mask; });
  }
  void clear() {
    first_ = 0;
    std::ranges::fill(others_, 0);
  }

  Sectors firstWord() const { return first_; } ///< the sectors 0 to 63

private:
  /// The bits of word \p index that belong to \p range, which touches the word.
  static Sectors maskOf(SectorRange range, unsigned index) {
    const unsigned base = index * kWordBits;
    return bitsOf({std::max(range.first, base) - base, range.last - base});
  }
  const Sectors &word(unsigned index) const { return index == 0 ? first_ : others_[index - 1]; }
  Sectors &word(unsigned index) { return index == 0 ? first_ : others_[index - 1]; }

  /// True if \p holds is true for each word that \p range touches, with the range's bits in it.
  template <typename Holds> bool every(SectorRange range, Holds holds) const {
    if (range.empty())
      return true;
    for (unsigned index = range.first / kWordBits; index <= (range.last - 1) / kWordBits; ++index)
      if (!holds(word(index), maskOf(range, index)))
        return false;
    return true;
  }
  template <typename Change> void each(SectorRange range, Change change) {
    if (range.empty())
      return;
    for (unsigned index = range.first / kWordBits; index <= (range.last - 1) / kWordBits; ++index)
      change(word(index), maskOf(range, index));
  }

  Sectors first_ = 0;           ///< of the sectors 0 to 63
  std::vector<Sectors> others_; ///< of the others
};

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <llvm/ADT/SparseBitVector.h>
#include <vector>

namespace forerun::slicer {

/// A set of numbers that no longer changes. It is as small as a SparseBitVector, but a test takes
/// logarithmic time, where that one walks along a list.
class FrozenSet {
public:
  FrozenSet() = default;
  explicit FrozenSet(const llvm::SparseBitVector<> &bits) {
    for (const unsigned each : bits) {
      if (words_.empty() || words_.back().number != each / kBits)
        words_.push_back({each / kBits, 0});
      words_.back().bits |= std::uint64_t{1} << each % kBits;
    }
  }

  [[nodiscard]] bool test(unsigned index) const {
    const auto found =
        std::lower_bound(words_.begin(), words_.end(), index / kBits,
                         [](const Word &word, unsigned number) { return word.number < number; });
    return found != words_.end() && found->number == index / kBits &&
           (found->bits >> index % kBits & 1) != 0;
  }

private:
  static constexpr unsigned kBits = 64;
  struct Word {
    unsigned number;
    std::uint64_t bits;
  };
  std::vector<Word> words_;
};

} // namespace forerun::slicer

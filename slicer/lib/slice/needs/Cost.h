// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <llvm/ADT/STLExtras.h>
#include <vector>

namespace forerun::slicer {

/// What a slice costs: by this, one in which more is forwarded, exchanged or left out is compared with
/// the one before.
struct Cost {
  std::size_t statements = 0; ///< of the program that run
  std::size_t nodes = 0;      ///< the same, with operands and with each copy of a function
  std::size_t values = 0;     ///< that the main thread forwards
  // What runs repeatedly in loops that read, besides announcing.
  std::size_t waits = 0; ///< calls at which it waits for the main thread
  std::size_t computing =
      0;                   ///< loops without reads that take floating-point numbers from memory ...
  std::size_t data = 0;    ///< ... and the reads of such numbers whose bytes are needed
  std::size_t fetches = 0; ///< all reads whose bytes are needed
  std::size_t longLoops = 0;        ///< long loops without reads, where there are such reads
  std::size_t longLoopsLeftOut = 0; ///< those that the program has besides
  std::size_t loops = 0; ///< all but those over the processes, or over the receivers of a message

  using Parts = std::vector<std::size_t Cost::*>;

  [[nodiscard]] bool isNoMoreThan(const Cost &other, const Parts &parts) const {
    return llvm::all_of(parts, [&](auto each) { return this->*each <= other.*each; });
  }
  [[nodiscard]] bool isLessThan(const Cost &other, const Parts &parts) const {
    return llvm::all_of(parts, [&](auto each) { return this->*each < other.*each; });
  }
};

/// When another slice is better.
struct Gain {
  Cost::Parts noMore;            ///< none of these may be more
  std::vector<Cost::Parts> less; ///< all parts of one of these have to be less; empty: none

  [[nodiscard]] bool isNoLoss(const Cost &now, const Cost &before) const {
    return now.isNoMoreThan(before, noMore);
  }
  [[nodiscard]] bool isGained(const Cost &now, const Cost &before) const {
    return isNoLoss(now, before) && (less.empty() || llvm::any_of(less, [&](auto &each) {
                                       return now.isLessThan(before, each);
                                     }));
  }
};

/// How many nodes something may add to a slice: so many, or such a part of what there is.
struct Growth {
  std::size_t least, part;

  [[nodiscard]] bool allows(const Cost &now, const Cost &before) const {
    return now.nodes <= before.nodes + std::max(least, before.nodes / part);
  }
};

} // namespace forerun::slicer

// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_WAITS_H
#define FORERUN_SLICER_WAITS_H

#include "slice/Kept.h"
#include "slice/Repetition.h"

namespace forerun::slicer {

/// What a slice does repeatedly in loops that read, besides announcing.
struct Waits {
  std::size_t receives = 0; ///< calls at which it waits for the main thread
  std::size_t computing =
      0;                   ///< loops without reads that take floating-point numbers from memory ...
  std::size_t data = 0;    ///< ... and the reads of such numbers whose bytes are needed
  std::size_t fetches = 0; ///< all reads whose bytes are needed
  std::size_t loops = 0;   ///< long loops without reads, where there are such reads
  std::size_t loopsLeftOut = 0; ///< those that the program has besides

  [[nodiscard]] bool isLessThan(const Waits &other) const {
    return isNotMoreThan(other) &&
           (receives < other.receives || (computing < other.computing && data < other.data));
  }
  /// Whatever the bytes are: fewer reads for which it waits, and less to compute with them.
  [[nodiscard]] bool fetchesLessThan(const Waits &other) const {
    return fetchesNotMoreThan(other) && fetches < other.fetches && loops < other.loops;
  }
  [[nodiscard]] bool fetchesNotMoreThan(const Waits &other) const {
    return isNotMoreThan(other) && fetches <= other.fetches && loops <= other.loops;
  }
  [[nodiscard]] bool isNotMoreThan(const Waits &other) const {
    return receives <= other.receives && !computesMoreThan(other);
  }
  [[nodiscard]] bool computesMoreThan(const Waits &other) const {
    return computing > other.computing || data > other.data;
  }
};

/// \p lean: what is in the lean clones; null if there are none.
Waits waitsOf(const ClosureInput &input, const Kept &kept, const Kept *lean,
              const Repetition &repetition);

} // namespace forerun::slicer

#endif

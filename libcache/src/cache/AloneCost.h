// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_ALONECOST_H
#define FORERUN_ALONECOST_H

#include "base/RecentMean.h"

#include <algorithm>
#include <cstdint>

/// \file
/// What a request takes that has the storage to itself, as the program's own reads have it: many at
/// once wait for each other there, and that wait is not latency that was hidden from the program.
/// Threads: none of its own; guarded by the cache's mutex.

namespace forerun {

class AloneCost {
public:
  /// A request took \p ns; \p inFlight were, with it, when it was issued.
  void took(std::uint64_t ns, unsigned inFlight) {
    if (inFlight <= kFew)
      mean_.add(static_cast<double>(ns));
  }
  /// What a request that took \p ns would have taken, at most.
  std::uint64_t without(std::uint64_t ns) const {
    return mean_.isEmpty() ? ns : std::min(ns, static_cast<std::uint64_t>(mean_.value()));
  }

private:
  static constexpr unsigned kFew = 2;
  RecentMean<32> mean_;
};

} // namespace forerun

#endif

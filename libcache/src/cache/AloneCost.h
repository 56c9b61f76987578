// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_ALONECOST_H
#define FORERUN_ALONECOST_H

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
    if (inFlight > kFew)
      return;
    count_ += count_ < kRecent ? 1 : 0;
    mean_ += (static_cast<double>(ns) - mean_) / count_;
  }
  /// What a request that took \p ns would have taken, at most.
  std::uint64_t without(std::uint64_t ns) const {
    return count_ == 0 ? ns : std::min(ns, static_cast<std::uint64_t>(mean_));
  }

private:
  static constexpr unsigned kFew = 2;
  static constexpr unsigned kRecent = 32; ///< so many count

  double mean_ = 0;
  unsigned count_ = 0;
};

} // namespace forerun

#endif

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Clock.h"

#include <cstdint>

/// \file
/// For how long in a row something has been refused, and whether that is too long.
/// Threads: none of its own.

namespace forerun {

class Timeout {
public:
  static constexpr std::uint64_t kNs = 2'000'000'000;

  void renew() { sinceNs_ = 0; } ///< it was not refused
  /// It is refused again, unless this is true: for kNs it was refused each time.
  bool isOver() {
    const std::uint64_t now = nowNs();
    if (sinceNs_ == 0)
      sinceNs_ = now;
    return now - sinceNs_ >= kNs;
  }

private:
  std::uint64_t sinceNs_ = 0; ///< the first refusal; 0: there was none
};

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Clock.h"
#include "pool/NodePool.h"

#include <cstdint>
#include <sched.h>

namespace forerun {

/// The right to decide who fetches a page: while one lives, no other member has one for it. Except
/// if its member was killed or stopped, or had no core: a claim that others have seen for longer
/// than a moment is theirs to take. Two that have one for the same page at worst fetch it twice.
///
/// Invariant: a word holds 0 or a number that one claim alone has, so that a claim takes or gives
/// back nothing but what it has seen.
class Claim {
public:
  /// Far longer than a member that has a core holds one.
  static constexpr std::uint64_t kMomentNs = 200'000;

  Claim(const NodePool &pool, const PageKey &key)
      : word_(pool.claims_[key.low % PoolLayout::kClaims]), own_(pool.nextClaim()) {
    std::uint32_t seen = 0;
    std::uint64_t until = 0;
    for (;; sched_yield()) { // its owner may be waiting for this core
      std::uint32_t found = 0;
      if (word_.compare_exchange_strong(found, own_))
        return;
      if (found != seen) {
        seen = found;
        until = nowNs() + kMomentNs;
      } else if (nowNs() >= until && word_.compare_exchange_strong(found, own_)) {
        return; // its owner is dead, or stopped
      }
    }
  }
  ~Claim() {
    std::uint32_t own = own_;
    word_.compare_exchange_strong(own, 0);
  }
  Claim(const Claim &) = delete;
  Claim &operator=(const Claim &) = delete;

private:
  Shared<std::uint32_t> &word_;
  const std::uint32_t own_;
};

} // namespace forerun

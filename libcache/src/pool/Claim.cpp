// SPDX-License-Identifier: Apache-2.0
#include "pool/Claim.h"

#include "forerun/Clock.h"

#include <sched.h>

namespace forerun {

Claim::Claim(const NodePool &pool, const PageKey &key)
    : word_(pool.claimOf(key)), own_(pool.nextClaim()) {
  std::uint32_t seen = 0;
  if (word_.compare_exchange_strong(seen, own_))
    return;
  std::uint64_t until = nowNs() + kMomentNs;
  for (;;) {
    sched_yield(); // its owner may be waiting for this core
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

Claim::~Claim() {
  std::uint32_t own = own_;
  word_.compare_exchange_strong(own, 0);
}

} // namespace forerun

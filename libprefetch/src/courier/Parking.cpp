// SPDX-License-Identifier: Apache-2.0
#include "courier/Parking.h"

namespace forerun {

void Parking::sweep(const Progress &progress) {
  constexpr std::size_t kSmall = 64;
  if (dirty.size() < 2 * rangesAtLastSweep + kSmall)
    return;
  dirty.forgetPassed(progress);
  rangesAtLastSweep = dirty.size();
}

} // namespace forerun

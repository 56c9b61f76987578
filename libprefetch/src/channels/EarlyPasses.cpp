// SPDX-License-Identifier: Apache-2.0
#include "channels/EarlyPasses.h"

namespace forerun {

void EarlyPasses::add(int site, const OpenedFile &opened) {
  const MutexLock lock(mutex_);
  if (calls_.size() < kMax)
    calls_.push_back({site, opened});
}

bool EarlyPasses::isComplete() const {
  const MutexLock lock(mutex_);
  return calls_.size() < kMax;
}

void EarlyPasses::moveTo(Progress &progress) {
  const MutexLock lock(mutex_);
  for (const Call &call : calls_)
    progress.pass(call.site, call.opened);
  calls_ = {};
}

} // namespace forerun

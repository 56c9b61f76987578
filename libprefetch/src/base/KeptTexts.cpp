// SPDX-License-Identifier: Apache-2.0
#include "base/KeptTexts.h"

namespace forerun {

const char *KeptTexts::keep(const std::string &text) {
  const MutexLock lock(mutex_);
  if (const auto known = texts_.find(text); known != texts_.end())
    return known->c_str();
  if (bytes_ + text.size() > kMaxBytes)
    return nullptr;
  bytes_ += text.size();
  return texts_.insert(text).first->c_str();
}

} // namespace forerun

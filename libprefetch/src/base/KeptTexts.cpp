// SPDX-License-Identifier: Apache-2.0
#include "base/KeptTexts.h"

#include <new>

namespace forerun {

const char *KeptTexts::keep(std::string_view text) try {
  const MutexLock lock(mutex_);
  if (const auto known = texts_.find(text); known != texts_.end())
    return known->c_str();
  if (bytes_ + text.size() > kMaxBytes)
    return nullptr;
  const char *const kept = texts_.emplace(text).first->c_str();
  bytes_ += text.size();
  return kept;
} catch (const std::bad_alloc &) {
  return nullptr;
}

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#include "thread/Period.h"

#include <algorithm>
#include <functional>

namespace forerun {

void Period::learn(std::string_view value) {
  const std::uint64_t hash = std::hash<std::string_view>{}(value);
  std::size_t best = 1;
  for (std::size_t length = 1; length <= known_; ++length) {
    const bool isAgain = last_[(newest_ + kLongest + 1 - length) % kLongest] == hash;
    repeated_[length] = isAgain ? std::min(repeated_[length] + 1, kMaxRepeated) : 0;
    if (repeated_[length] > repeated_[best])
      best = length;
  }
  length_ = best > 1 && repeated_[best] >= 2 * best ? best : 0;
  newest_ = (newest_ + 1) % kLongest;
  last_[newest_] = hash;
  known_ = std::min(known_ + 1, kLongest);
}

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#include "thread/FiniteContext.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace forerun {

void FiniteContext::learn(const Bytes &value) {
  const auto hash = static_cast<std::uint32_t>(std::hash<std::string_view>{}(
                        {reinterpret_cast<const char *>(value.data()), value.size()})) |
                    1U;
  const bool goesOn = hashes_[period_ - 1] == hash; // then no other can be longer
  std::uint32_t any = 0;
  for (std::size_t i = 0; i < kValues; ++i)
    any |= again_[i] = hashes_[i] == hash ? again_[i] + 1 : 0;
  if (any == 0)
    period_ = 1;
  else if (!goesOn)
    period_ = 1 + static_cast<std::size_t>(std::ranges::max_element(again_) - again_.begin());
  std::copy_backward(hashes_.begin(), hashes_.end() - 1, hashes_.end());
  hashes_[0] = hash;
  if (votes_ == 0)
    frequent_ = value;
  votes_ = areSame(value, frequent_) ? std::min(votes_ + 1, kMaxVotes) : votes_ - 1;
  values_[learned_++ % kValues] = value;
}

} // namespace forerun

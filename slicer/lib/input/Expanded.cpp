// SPDX-License-Identifier: Apache-2.0
#include "input/Expanded.h"

namespace forerun::slicer {

std::optional<std::pair<std::size_t, std::size_t>>
Expanded::tokensOf(clang::SourceRange range) const {
  if (places_.empty())
    for (std::size_t i = 0; i < tokens_.size(); i++)
      places_.try_emplace(tokens_[i].getLocation(), i);
  const auto first = places_.find(range.getBegin());
  const auto last = places_.find(range.getEnd());
  if (first == places_.end() || last == places_.end() || last->second < first->second)
    return std::nullopt;
  return std::pair(first->second, last->second);
}

} // namespace forerun::slicer

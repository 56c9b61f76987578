// SPDX-License-Identifier: Apache-2.0
#include "courier/DirtyRanges.h"

#include <iterator>
#include <limits>

namespace forerun {
namespace {

std::uint64_t endOf(std::uint64_t offset, std::uint64_t length) {
  const auto most = std::numeric_limits<std::uint64_t>::max();
  return length > most - offset ? most : offset + length;
}

} // namespace

/// The first range that ends after \p offset.
DirtyRanges::Map::iterator DirtyRanges::firstOver(std::uint64_t offset) {
  auto at = ranges_.upper_bound(offset);
  if (at != ranges_.begin() && std::prev(at)->second.end > offset)
    --at;
  return at;
}

void DirtyRanges::cutOut(std::uint64_t offset, std::uint64_t end) {
  auto at = firstOver(offset);
  while (at != ranges_.end() && at->first < end) {
    const std::uint64_t begin = at->first;
    const Range old = at->second;
    at = ranges_.erase(at);
    if (begin < offset)
      ranges_.emplace_hint(at, begin, Range{offset, old.write, old.order, old.prediction});
    if (old.end > end)
      at = ranges_.emplace_hint(at, end, old);
  }
}

void DirtyRanges::add(std::uint64_t offset, std::uint64_t length, CallId write, Sequence order,
                      std::uint32_t prediction) {
  if (length == 0)
    return;
  const std::uint64_t end = endOf(offset, length);
  cutOut(offset, end);
  ranges_.emplace(offset, Range{end, write, order, prediction});
}

void DirtyRanges::remove(std::uint64_t offset, std::uint64_t length) {
  cutOut(offset, endOf(offset, length));
}

bool DirtyRanges::has(std::uint64_t offset, std::uint64_t length, Sequence last) {
  const std::uint64_t end = endOf(offset, length);
  for (auto at = firstOver(offset); at != ranges_.end() && at->first < end; ++at)
    if (length != 0 && at->second.order <= last)
      return true;
  return false;
}

void DirtyRanges::withdraw(Withdrawals::Range wrong) {
  std::erase_if(ranges_, [&](const auto &range) {
    return range.second.prediction >= wrong.first && range.second.prediction <= wrong.last;
  });
}

std::optional<CallId> DirtyRanges::lastPendingIn(std::uint64_t offset, std::uint64_t length,
                                                 const Progress &progress) {
  std::optional<CallId> last;
  if (length == 0)
    return last;
  const std::uint64_t end = endOf(offset, length);
  Sequence order = 0;
  for (auto at = firstOver(offset); at != ranges_.end() && at->first < end;) {
    if (progress.hasPassed(at->second.write)) {
      at = ranges_.erase(at);
      continue;
    }
    if (!last || at->second.order > order) {
      last = at->second.write;
      order = at->second.order;
    }
    ++at;
  }
  return last;
}

void DirtyRanges::forgetPassed(const Progress &progress) {
  std::erase_if(ranges_, [&](const auto &range) { return progress.hasPassed(range.second.write); });
}

void DirtyRanges::sweep(const Progress &progress) {
  constexpr std::size_t kSmall = 64;
  if (size() < 2 * rangesAtLastSweep_ + kSmall)
    return;
  forgetPassed(progress);
  rangesAtLastSweep_ = size();
}

} // namespace forerun

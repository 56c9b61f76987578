// SPDX-License-Identifier: Apache-2.0
#include "Replay.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

namespace forerun::sim {

namespace {

/// Counts page by page and request by request. \p access handles one access, by its index in
/// trace.pages and the number of its request, and says whether it was a hit.
template <typename Access> Hits countHits(const PageTrace &trace, Access access) {
  Hits hits;
  for (std::size_t number = 0; number < trace.requests.size(); ++number) {
    const auto [begin, end] = trace.requests[number];
    std::size_t found = 0;
    for (std::size_t index = begin; index < end; ++index)
      found += access(index, number) ? 1 : 0;
    hits.pages += found;
    hits.requests += found == end - begin ? 1 : 0;
  }
  return hits;
}

/// A cache of pages under a policy, as the real one does it: a page is announced, read, and its use
/// retired.
class Replayed {
public:
  Replayed(const PageTrace &trace, std::size_t frames, Policy &policy)
      : policy_(policy), slotOf_(trace.distinctPages, kAbsent), pageIn_(frames),
        uses_(trace.distinctPages) {}

  void announce(std::uint32_t page, Sequence use) {
    std::deque<Sequence> &uses = uses_[page];
    uses.push_back(use);
    if (slotOf_[page] != kAbsent)
      policy_.announce(slotOf_[page], uses.front());
  }

  /// Reads a page; true if it was there.
  bool read(std::uint32_t page, Sequence use) {
    std::deque<Sequence> &uses = uses_[page];
    const bool hit = slotOf_[page] != kAbsent;
    if (!hit)
      bring(page, uses.empty() ? 0 : uses.front());
    policy_.touch(slotOf_[page]);
    if (!uses.empty() && uses.front() == use) {
      uses.pop_front();
      policy_.announce(slotOf_[page], uses.empty() ? 0 : uses.front());
    }
    return hit;
  }

private:
  static constexpr Slot kAbsent = std::numeric_limits<Slot>::max();

  void bring(std::uint32_t page, Sequence nextUse) {
    auto slot = static_cast<Slot>(used_);
    if (used_ < pageIn_.size()) {
      ++used_;
    } else {
      chosen_.clear();
      policy_.victims(1, kNow, [](Slot) { return false; }, chosen_);
      slot = chosen_.front();
      policy_.erase(slot);
      slotOf_[pageIn_[slot]] = kAbsent;
    }
    pageIn_[slot] = page;
    slotOf_[page] = slot;
    policy_.insert(slot, nextUse);
  }

  Policy &policy_;
  std::vector<Slot> slotOf_;          ///< by page
  std::vector<std::uint32_t> pageIn_; ///< by slot, where used
  std::size_t used_ = 0;
  std::vector<std::deque<Sequence>> uses_; ///< announced and to come, by page
  std::vector<Slot> chosen_;
};

} // namespace

Hits replayOptimum(const PageTrace &trace, std::size_t frames) {
  const std::size_t accesses = trace.pages.size();
  std::vector<std::size_t> nextAccess(accesses);
  std::vector<std::size_t> seen(trace.distinctPages, accesses);
  for (std::size_t index = accesses; index-- > 0;)
    nextAccess[index] = std::exchange(seen[trace.pages[index]], index);

  std::set<std::pair<std::size_t, std::uint32_t>> kept; // (next access, page)
  return countHits(trace, [&](std::size_t index, std::size_t) {
    const std::uint32_t page = trace.pages[index];
    const bool hit = kept.erase({index, page}) != 0;
    if (!hit && kept.size() == frames)
      kept.erase(std::prev(kept.end()));
    kept.emplace(nextAccess[index], page);
    return hit;
  });
}

Hits replay(const PageTrace &trace, std::size_t frames, std::size_t window, Policy &policy) {
  Replayed cache(trace, frames, policy);
  std::size_t announced = 0;
  return countHits(trace, [&](std::size_t index, std::size_t number) {
    const std::size_t last = number + std::min(window, trace.requests.size() - 1 - number);
    for (; window > 0 && announced <= last; ++announced)
      for (auto at = trace.requests[announced].begin; at < trace.requests[announced].end; ++at)
        cache.announce(trace.pages[at], at + 1);
    return cache.read(trace.pages[index], index + 1);
  });
}

} // namespace forerun::sim

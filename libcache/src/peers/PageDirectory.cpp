// SPDX-License-Identifier: Apache-2.0
#include "peers/PageDirectory.h"

#include <algorithm>

namespace forerun {

std::span<const PageDirectory::Part> PageDirectory::want(Rank from, const PeerMessage &want) {
  Entry &entry = entryOf(want.page);
  Holders &holders = entry.holders;
  Sectors sectors = want.sectors;
  // The asker no longer has it, and what is too old for one is soon too old for all.
  for (Holder &holder : holders)
    if (holder.rank == from)
      holder.sectors &= ~sectors;
  std::erase_if(holders,
                [&](const Holder &each) { return each.sectors == 0 || each.epoch < want.epoch; });
  std::ranges::stable_sort(holders, {}, &Holder::given);
  parts_.clear();
  Sectors busy = 0;
  for (Holder &holder : holders) {
    const Sectors part = sectors & holder.sectors;
    if (part == 0)
      continue;
    if (holder.giving >= givesAtOnce_) {
      busy |= part;
      continue;
    }
    ++holder.given;
    ++holder.giving;
    parts_.push_back({holder.rank, part});
    sectors &= ~part;
  }
  busy &= sectors;
  if (busy != 0) {
    entry.waiting.push_back(want);
    entry.waiting.back().sectors = busy;
    entry.waiting.back().rank = from;
  }
  sectors &= ~busy;
  if (sectors != 0) {
    parts_.push_back({from, sectors});
    note(holders, {from, want.epoch, sectors});
  }
  return parts_;
}

std::optional<PeerMessage> PageDirectory::nextWaiting(const PeerPage &page) {
  const auto found = pages_.find(page);
  if (found == pages_.end() || found->second.waiting.empty())
    return std::nullopt;
  const PeerMessage next = found->second.waiting.front();
  found->second.waiting.pop_front();
  return next;
}

std::span<const PageDirectory::Part> PageDirectory::holders(const PeerPage &page, Rank from,
                                                            Sectors sectors) {
  parts_.clear();
  if (const auto found = pages_.find(page); found != pages_.end())
    for (const Holder &holder : found->second.holders)
      if (holder.rank != from && (holder.sectors & sectors) != 0)
        parts_.push_back({holder.rank, holder.sectors & sectors});
  return parts_;
}

void PageDirectory::have(const PeerPage &page, Rank rank, std::uint32_t epoch, Sectors sectors,
                         Rank giver) {
  gaveNothing(page, giver);
  if (sectors != 0)
    note(entryOf(page).holders, {rank, epoch, sectors});
}

void PageDirectory::gaveNothing(const PeerPage &page, Rank rank) {
  const auto found = pages_.find(page);
  if (found == pages_.end())
    return;
  Holders &holders = found->second.holders;
  const auto holder = std::ranges::find(holders, rank, &Holder::rank);
  if (holder != holders.end() && holder->giving > 0)
    --holder->giving;
}

void PageDirectory::drop(const PeerPage &page, Rank rank, Sectors sectors) {
  const auto found = pages_.find(page);
  if (found == pages_.end())
    return;
  auto &[holders, waiting] = found->second;
  for (Holder &holder : holders)
    if (holder.rank == rank)
      holder.sectors &= ~sectors;
  std::erase_if(holders, [](const Holder &each) { return each.sectors == 0; });
  if (holders.empty() && waiting.empty())
    pages_.erase(found);
}

void PageDirectory::note(Holders &holders, const Holder &holder) {
  const auto same = std::ranges::find(holders, holder.rank, &Holder::rank);
  if (same == holders.end()) {
    if (holders.size() == kHolders) // the one that has given most has done its share
      holders.erase(std::ranges::max_element(holders, {}, &Holder::given));
    holders.push_back(holder);
  } else if (same->epoch < holder.epoch) {
    *same = holder;
  } else if (same->epoch == holder.epoch) {
    same->sectors |= holder.sectors;
  }
}

PageDirectory::Entry &PageDirectory::entryOf(const PeerPage &page) {
  const auto [place, isNew] = pages_.try_emplace(page);
  if (isNew) {
    byAge_.push_back(page);
    forgetOldest(page);
  }
  return place->second;
}

/// Except \p page, and those for which somebody waits.
void PageDirectory::forgetOldest(const PeerPage &page) {
  for (std::size_t looks = byAge_.size();
       looks > 0 && (pages_.size() > capacity_ || byAge_.size() > 2 * capacity_); --looks) {
    const PeerPage oldest = byAge_.front();
    byAge_.pop_front();
    const auto found = pages_.find(oldest);
    if (found == pages_.end())
      continue;
    if (oldest == page || !found->second.waiting.empty())
      byAge_.push_back(oldest);
    else
      pages_.erase(found);
  }
}

} // namespace forerun

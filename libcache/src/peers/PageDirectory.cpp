// SPDX-License-Identifier: Apache-2.0
#include "peers/PageDirectory.h"

#include <algorithm>

namespace forerun {

std::span<const PageDirectory::Part> PageDirectory::want(const PeerPage &page, Rank from,
                                                         std::uint32_t epoch, Sectors sectors) {
  Holders &holders = holdersOf(page);
  // Who asks has it no more, and what is too old for one is soon too old for all.
  for (Holder &holder : holders)
    if (holder.rank == from)
      holder.sectors &= ~sectors;
  std::erase_if(holders,
                [&](const Holder &each) { return each.sectors == 0 || each.epoch < epoch; });
  std::ranges::stable_sort(holders, {}, &Holder::given);
  parts_.clear();
  for (Holder &holder : holders) {
    const Sectors part = sectors & holder.sectors;
    if (part == 0)
      continue;
    ++holder.given;
    parts_.push_back({holder.rank, part});
    sectors &= ~part;
  }
  if (sectors != 0) {
    parts_.push_back({from, sectors});
    note(holders, {from, epoch, sectors});
  }
  return parts_;
}

std::span<const PageDirectory::Part> PageDirectory::holders(const PeerPage &page, Rank from,
                                                            Sectors sectors) {
  parts_.clear();
  if (const auto found = pages_.find(page); found != pages_.end())
    for (const Holder &holder : found->second)
      if (holder.rank != from && (holder.sectors & sectors) != 0)
        parts_.push_back({holder.rank, holder.sectors & sectors});
  return parts_;
}

void PageDirectory::have(const PeerPage &page, Rank rank, std::uint32_t epoch, Sectors sectors) {
  note(holdersOf(page), {rank, epoch, sectors});
}

void PageDirectory::drop(const PeerPage &page, Rank rank, Sectors sectors) {
  const auto found = pages_.find(page);
  if (found == pages_.end())
    return;
  Holders &holders = found->second;
  for (Holder &holder : holders)
    if (holder.rank == rank)
      holder.sectors &= ~sectors;
  std::erase_if(holders, [](const Holder &each) { return each.sectors == 0; });
  if (holders.empty())
    pages_.erase(found);
}

void PageDirectory::forget(std::uint32_t file) {
  std::erase_if(pages_, [&](const auto &each) { return each.first.file == file; });
  std::erase_if(byAge_, [&](const PeerPage &page) { return page.file == file; });
}

void PageDirectory::note(Holders &holders, const Holder &holder) {
  const auto same = std::ranges::find(holders, holder.rank, &Holder::rank);
  if (same == holders.end()) {
    if (holders.size() == kHolders)
      holders.erase(holders.begin());
    holders.push_back(holder);
  } else if (same->epoch < holder.epoch) {
    *same = holder;
  } else if (same->epoch == holder.epoch) {
    same->sectors |= holder.sectors;
  }
}

PageDirectory::Holders &PageDirectory::holdersOf(const PeerPage &page) {
  const auto [place, isNew] = pages_.try_emplace(page);
  if (!isNew)
    return place->second;
  byAge_.push_back(page);
  while (pages_.size() > capacity_ || byAge_.size() > 2 * capacity_) {
    if (byAge_.front() != page)
      pages_.erase(byAge_.front());
    byAge_.pop_front();
  }
  return place->second;
}

} // namespace forerun

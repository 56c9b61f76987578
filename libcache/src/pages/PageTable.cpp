// SPDX-License-Identifier: Apache-2.0
#include "pages/PageTable.h"

#include "policy/WindowPolicy.h"

#include <algorithm>
#include <memory>
#include <new>

namespace forerun {

namespace {

/// Announced uses that may be outstanding, however small the reads: 24 bytes each.
constexpr std::size_t kMinAnnouncements = std::size_t{64} << 10;

} // namespace

PageTable::PageTable(std::size_t capacityBytes, std::size_t pageBytes)
    : geometry_(pageBytes), region_(capacityBytes / pageBytes * pageBytes),
      places_(capacityBytes / pageBytes),
      policy_(std::make_unique<WindowPolicy>(WindowPolicy::Config{frames()})),
      openPages_(frames()) {
  free_.reserve(frames());
}

PageTable::~PageTable() {
  for (std::size_t slot = 0; slot < pagesMade_; ++slot)
    std::destroy_at(&pageOf(static_cast<Slot>(slot)));
}

/// What has been used before comes first, then the frames in their order. makeRoom has been called.
Page &PageTable::takeFrame() {
  if (free_.empty()) {
    const auto slot = static_cast<Slot>(pagesMade_);
    std::byte *frame = region_.base() + pagesMade_ * geometry_.pageBytes();
    Page *page = std::construct_at(&pageOf(slot), slot, frame, geometry_.sectorsPerPage());
    ++pagesMade_;
    return *page;
  }
  Page &page = *free_.back();
  free_.pop_back();
  return page;
}

bool PageTable::makeRoom(std::size_t count, Sequence neededAt, const CachedFile &file,
                         std::uint64_t first, std::uint64_t endPage) {
  if (freeFrames() >= count)
    return true;
  const auto kept = [&](Slot slot) {
    Page &page = pageOf(slot);
    if (page.file == &file && page.index >= first && page.index < endPage)
      return true;
    close(page);
    if (page.idle())
      return false;
    open(page);
    return true;
  };
  chosen_.clear();
  const std::size_t missing = count - freeFrames();
  bool isComplete = true;
  try {
    policy().victims(missing, neededAt, kept, chosen_);
  } catch (const std::bad_alloc &) {
    isComplete = false;
  }
  if (!isComplete || chosen_.size() < missing) {
    for (const Slot slot : chosen_)
      open(pageOf(slot));
    return false;
  }
  for (const Slot slot : chosen_)
    drop(pageOf(slot));
  return true;
}

Page *PageTable::add(CachedFile &file, std::uint64_t index) try {
  // Touches of what the frame held before are told now: later they would be taken for those of a
  // page that the policy does not have yet.
  Policy &policy = this->policy();
  Page *&found = file.pages[index];
  Page &page = takeFrame();
  if (const std::size_t used = frames() - freeFrames(); used > maxUsed_) {
    maxUsed_ = used;
    if (used == frames())
      region_.gatherPages();
  }
  page.file = &file;
  page.index = index;
  found = &page;
  policy.insert(page.slot, 0);
  return &page;
} catch (const std::bad_alloc &) {
  file.pages.erase(index);
  return nullptr;
}

void PageTable::announce(Page &page, Sequence use) try {
  const auto entry = std::make_pair(use, page.slot);
  if (announced_.empty() || announced_.back() <= entry)
    announced_.push_back(entry);
  else
    announced_.insert(std::ranges::upper_bound(announced_, entry), entry);
  page.uses.add(use);
  policy().announce(page.slot, page.uses.first());
} catch (const std::bad_alloc &) {
  return; // what the policy does not know it does not keep
}

bool PageTable::mayAnnounce(std::size_t count) const {
  return announced_.size() + count <= std::max(kMinAnnouncements, 4 * frames());
}

void PageTable::retire(Sequence last) {
  for (; !announced_.empty() && announced_.front().first <= last; announced_.pop_front()) {
    Page &page = pageOf(announced_.front().second);
    // The frame may hold another page by now; whose uses up to `last` are over just as well.
    if (page.uses.first() == 0 || page.uses.first() > last)
      continue;
    page.uses.popUpTo(last);
    policy().announce(page.slot, page.uses.first());
  }
}

void PageTable::drop(Page &page) {
  close(page);
  openPages_.remove(page);
  countUseless(page, allSectors());
  policy_->erase(page.slot);
  page.file->pages.erase(page.index);
  page.uses.clear();
  page.present.clear();
  page.orphan = true;
  settle(page);
}

void PageTable::outdate(Page &page, SectorRange sectors) {
  close(page);
  if (page.pins > 0 || page.fetching.hasAny(sectors)) {
    drop(page);
    return;
  }
  countUseless(page, sectors);
  page.present.remove(sectors);
  open(page);
  settle(page);
}

void PageTable::close(Page &page) {
  if (page.open.load(std::memory_order_relaxed) != 0)
    page.open.store(0);
}

void PageTable::open(Page &page) {
  SectorSet::Word sectors = 0;
  if (!page.orphan && page.fetchNs == 0) {
    sectors = page.present.firstWord() & ~page.ahead.firstWord();
    const std::uint64_t begin = geometry_.pageBegin(page.index);
    if (page.file->end() < begin + geometry_.pageBytes()) { // no sector that it cuts, or after it
      const SectorRange whole = geometry_.inside({begin, page.file->end()}, page.index);
      sectors &=
          whole.empty() || whole.first >= SectorSet::kWordBits ? 0 : SectorSet::maskOf(whole, 0);
    }
  }
  if (sectors != page.open.load(std::memory_order_relaxed))
    page.open.store(sectors);
  if (sectors != 0)
    openPages_.add(page);
}

void PageTable::applyTouches() {
  touches_.take([this](Slot slot) {
    const Page &page = pageOf(slot);
    if (page.file != nullptr && !page.orphan) // it was there when it was read
      policy_->touch(slot);
  });
}

void PageTable::settle(Page &page) {
  if (page.file == nullptr || !page.idle())
    return;
  if (page.orphan)
    recycle(page);
  else if (page.present.empty())
    drop(page);
}

std::uint64_t PageTable::bytesIn(const CachedFile &file, std::uint64_t index,
                                 unsigned sector) const {
  const std::uint64_t begin = geometry_.sectorBegin(index, sector);
  return file.upToEnd({begin, begin + kSectorBytes}).length();
}

void PageTable::countUseless(Page &page, SectorRange sectors) {
  if (!page.ahead.hasAny(sectors))
    return;
  for (unsigned sector = sectors.first; sector < sectors.last; ++sector)
    if (page.ahead.has(sector))
      page.file->stats.uselessBytes += bytesIn(*page.file, page.index, sector);
  page.ahead.remove(sectors);
}

void PageTable::recycle(Page &page) {
  page.orphan = false;
  page.file = nullptr;
  page.fetchNs = 0;
  free_.push_back(&page);
}

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#include "pages/PageTable.h"

#include "forerun/Clock.h"
#include "policy/WindowPolicy.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

namespace forerun {

namespace {

/// Announced uses that may be outstanding, however small the reads: 24 bytes each.
constexpr std::size_t kMinAnnouncements = std::size_t{64} << 10;

} // namespace

PageTable::PageTable(std::size_t capacityBytes, std::size_t pageBytes, NodePool *pool)
    : geometry_(pageBytes), pool_(pool), frames_(capacityBytes / pageBytes),
      region_(pool == nullptr ? std::make_unique<Mapping>(frames_ * pageBytes) : nullptr),
      places_(pool != nullptr ? pool->shape().frames() : frames_), isMade_(places_.size()),
      policy_(std::make_unique<WindowPolicy>(places_.size())), openPages_(places_.size()) {
  free_.reserve(places_.size());
  lingering_.reserve(pool != nullptr ? places_.size() : 0);
}

PageTable::~PageTable() {
  for (const Page *page : free_)
    if (pool_ != nullptr)
      pool_->give(page->slot);
  for (std::size_t slot = 0; slot < places_.size(); ++slot)
    if (isMade_[slot])
      std::destroy_at(&pageOf(static_cast<Slot>(slot)));
}

Page &PageTable::pageMade(Slot slot) {
  ++pagesMade_;
  isMade_[slot] = true;
  std::byte *const frame =
      pool_ != nullptr ? pool_->frame(slot) : region_->base() + slot * geometry_.pageBytes();
  SharedFrame *const shared = pool_ != nullptr ? &pool_->state(slot) : nullptr;
  return *std::construct_at(&pageOf(slot), slot, frame, shared, geometry_.sectorsPerPage());
}

// ---- with others ----

void PageTable::takeFromPool(std::size_t count) {
  std::erase_if(lingering_, [this](Page *page) {
    const bool isFree = !page->pinnedByOthers();
    if (isFree)
      recycle(*page);
    return isFree;
  });
  while (free_.size() < count) {
    const std::optional<Slot> slot = pool_->take();
    if (!slot)
      return;
    if (!isMade_[*slot])
      pageMade(*slot);
    free_.push_back(&pageOf(*slot));
  }
}

/// If others lack frames, and this member has more than its own, it gives what it needs last. What
/// is announced would have to be fetched again: it is given only after it was not read for long.
void PageTable::payBack(const Policy::Busy &kept) {
  if (!pool_->owes()) {
    withLenders_.renew();
    return;
  }
  chosen_.clear();
  try {
    policy().victims(1, kUnannounced, kept, chosen_);
    if (!chosen_.empty())
      withLenders_.renew();
    else if (withLenders_.isOver())
      policy().victims(1, kNow, kept, chosen_);
  } catch (const std::bad_alloc &) {
    return;
  }
  for (const Slot slot : chosen_)
    evict(pageOf(slot));
}

void PageTable::evict(Page &page) {
  ++page.file->stats.evictions;
  drop(page);
}

void PageTable::want(Slot slot, Sequence use) try {
  const auto entry = std::make_pair(use, slot);
  wanted_.insert(std::ranges::upper_bound(wanted_, entry), entry);
  pool_->state(slot).wanted.fetch_add(1);
} catch (const std::bad_alloc &) {
  return; // then it may be evicted
}

bool PageTable::makeRoom(std::size_t count, Sequence neededAt, const CachedFile &file,
                         std::uint64_t first, std::uint64_t endPage) {
  bool sparesOthers = pool_ != nullptr;
  const auto kept = [&](Slot slot) {
    Page &page = pageOf(slot);
    if (page.file == &file && page.index >= first && page.index < endPage)
      return true;
    if (sparesOthers && page.shared->wanted.load() != 0)
      return true;
    close(page);
    if (page.idle())
      return false;
    open(page);
    return true;
  };
  if (pool_ != nullptr) {
    payBack(kept);
    takeFromPool(count);
  }
  const bool isForReader = neededAt == kNow;
  if (freeFrames() >= count) {
    if (count > 0 && !isForReader)
      withReaders_.renew();
    return true;
  }
  chosen_.clear();
  const std::size_t missing = count - freeFrames();
  bool isComplete = true;
  try {
    policy().victims(missing, neededAt, kept, chosen_);
    if (chosen_.size() < missing && sparesOthers && (isForReader || withReaders_.isOver())) {
      sparesOthers = false; // a page is wanted in vain if the member that wants it has ended
      for (const Slot slot : chosen_)
        open(pageOf(slot));
      chosen_.clear();
      policy().victims(missing, neededAt, kept, chosen_);
    } else if (chosen_.size() == missing && !isForReader) {
      withReaders_.renew();
    }
  } catch (const std::bad_alloc &) {
    isComplete = false;
  }
  if (!isComplete || chosen_.size() < missing) {
    for (const Slot slot : chosen_)
      open(pageOf(slot));
    return false;
  }
  keepsFrames_ = true;
  for (const Slot slot : chosen_)
    evict(pageOf(slot));
  keepsFrames_ = false;
  return freeFrames() >= count;
}

Page *PageTable::add(CachedFile &file, std::uint64_t index) try {
  // Touches of what the frame held before are reported now: later they would be taken as those of a
  // page that the policy does not have yet.
  Policy &policy = this->policy();
  Page *&found = file.pages[index];
  if (free_.empty()) // previously used frames first, then the others in order
    free_.push_back(&pageMade(static_cast<Slot>(pagesMade_)));
  Page &page = *free_.back();
  free_.pop_back();
  const std::size_t used = pool_ != nullptr ? pool_->held() : frames() - freeFrames();
  if (used > maxUsed_) {
    maxUsed_ = used;
    if (used == frames() && region_ != nullptr)
      region_->gatherPages();
  }
  page.file = &file;
  page.index = index;
  found = &page;
  policy.insert(page.slot, 0);
  if (pool_ != nullptr)
    pool_->publish(page.slot, file.pageKey(index), nowNs());
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
  return; // the policy does not keep what it does not know
}

bool PageTable::mayAnnounce(std::size_t count) const {
  return announced_.size() + count <= std::max(kMinAnnouncements, 4 * frames());
}

void PageTable::retire(Sequence last) {
  for (; !announced_.empty() && announced_.front().first <= last; announced_.pop_front()) {
    Page &page = pageOf(announced_.front().second);
    // The frame may hold another page by now; its uses up to `last` are over just the same.
    if (page.uses.first() == 0 || page.uses.first() > last)
      continue;
    page.uses.popUpTo(last);
    policy().announce(page.slot, page.uses.first());
  }
  for (; !wanted_.empty() && wanted_.front().first <= last; wanted_.pop_front())
    pool_->state(wanted_.front().second).wanted.fetch_sub(1);
}

void PageTable::withdraw(Sequence first, Sequence last, const Unused &unused) {
  const auto isBefore = [](const auto &use, Sequence sequence) { return use.first < sequence; };
  const auto begin = std::lower_bound(announced_.begin(), announced_.end(), first, isBefore);
  const auto end = std::lower_bound(begin, announced_.end(), last + 1, isBefore);
  for (auto use = begin; use != end; ++use) {
    Page &page = pageOf(use->second);
    if (!page.uses.remove(use->first)) // the frame holds another page by now
      continue;
    policy().announce(page.slot, page.uses.first());
    if (page.uses.first() == 0)
      unused(page);
  }
  announced_.erase(begin, end);
}

void PageTable::drop(Page &page) {
  close(page);
  if (pool_ != nullptr) {
    page.shared->coming.store(0);
    pool_->withdraw(page.slot);
    pool_->tellWaiters(page.slot);
  }
  if (page.file->peerName != 0)
    gone_(page);
  openPages_.remove(page);
  countUnread(page, {0, geometry_.sectorsPerPage()},
              page.shared != nullptr ? page.shared->lent.load() : 0);
  policy_->erase(page.slot);
  page.file->pages.erase(page.index);
  page.uses.clear();
  page.present.clear();
  page.orphan = true;
  settle(page);
}

void PageTable::outdate(Page &page, SectorRange sectors) {
  close(page);
  if (page.pins > 0 || page.pinnedByOthers() || page.fetching.hasAny(sectors)) {
    drop(page);
    return;
  }
  countUnread(page, sectors, 0);
  const Sectors own = page.wordOf(sectors) & page.present.firstWord();
  page.present.remove(sectors);
  page.release(own);
  open(page);
  settle(page);
}

void PageTable::overwrite(Page &page, ByteRange range, const std::byte *bytes) {
  close(page);
  if (page.inCopy()) {
    drop(page);
    return;
  }
  const SectorRange sectors = geometry_.touched(range, page.index);
  for (unsigned sector = sectors.first; sector < sectors.last; ++sector) {
    if (!page.present.has(sector))
      continue;
    const std::uint64_t begin = std::max(geometry_.sectorBegin(page.index, sector), range.begin);
    const std::uint64_t end = std::min(geometry_.sectorBegin(page.index, sector + 1), range.end);
    std::memcpy(page.frame + geometry_.inPage(begin), bytes + (begin - range.begin), end - begin);
  }
  open(page);
}

void PageTable::close(Page &page) {
  if (page.open.load(std::memory_order_relaxed) != 0)
    page.open.store(0);
  if (page.shared != nullptr && page.shared->open.load(std::memory_order_relaxed) != 0)
    page.shared->open.store(0);
}

Sectors PageTable::wholeSectors(const Page &page) const {
  const std::uint64_t begin = geometry_.pageBegin(page.index);
  if (page.file->end() >= begin + geometry_.pageBytes())
    return ~Sectors{0};
  return bitsOf(geometry_.inside({begin, page.file->end()}, page.index));
}

void PageTable::open(Page &page) {
  const Sectors whole = page.orphan ? 0 : wholeSectors(page);
  const Sectors sectors =
      page.fetchNs == 0 ? page.present.firstWord() & ~page.ahead.firstWord() & whole : 0;
  if (sectors != page.open.load(std::memory_order_relaxed))
    page.open.store(sectors);
  if (sectors != 0)
    openPages_.add(page);
  if (page.shared == nullptr)
    return;
  const Sectors toOthers = page.filled ? 0 : page.present.firstWord() & whole;
  if (toOthers != page.shared->open.load(std::memory_order_relaxed))
    page.shared->open.store(toOthers);
}

void PageTable::applyTouches() {
  touches_.take([this](Slot slot) {
    const Page &page = pageOf(slot);
    if (page.file != nullptr && !page.orphan) // it was there when it was read
      policy_->touch(slot);
  });
}

void PageTable::settle(Page &page) {
  if (page.file == nullptr || page.pins != 0 || !page.fetching.empty())
    return;
  if (page.orphan && page.pinnedByOthers()) {
    page.file = nullptr; // which may be closed before they have read
    lingering_.push_back(&page);
    return;
  }
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

void PageTable::countUnread(Page &page, SectorRange sectors, Sectors lent) {
  if (lent == 0 && !page.ahead.hasAny(sectors))
    return;
  const Sectors used = page.shared != nullptr ? page.shared->used.load() : 0;
  for (unsigned sector = sectors.first; sector < sectors.last; ++sector) {
    const Sectors bit = sector < SectorSet::kWordBits ? Sectors{1} << sector : 0;
    if (page.ahead.has(sector) || (lent & bit) != 0)
      ((used & bit) != 0 ? page.file->stats.usefulBytes : page.file->stats.uselessBytes) +=
          (lent & bit) != 0 ? kSectorBytes : bytesIn(*page.file, page.index, sector);
  }
  page.ahead.remove(sectors);
}

void PageTable::recycle(Page &page) {
  page.orphan = false;
  page.file = nullptr;
  page.fetchNs = 0;
  page.filled = false;
  if (pool_ != nullptr && !keepsFrames_)
    pool_->give(page.slot);
  else
    free_.push_back(&page);
}

} // namespace forerun

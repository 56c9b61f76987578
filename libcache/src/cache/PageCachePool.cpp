// SPDX-License-Identifier: Apache-2.0
#include "cache/Chunk.h"
#include "cache/Reading.h"

#include <algorithm>
#include <bit>

namespace forerun {

namespace {

using Word = SectorSet::Word;

Word bit(unsigned sector) { return Word{1} << sector; }

} // namespace

/// Those of \p sectors that this process neither has in its page nor is fetching; a page of a pool
/// has one word of them. \p page: null if there is none.
Word PageCache::absentIn(const Page *page, SectorRange sectors) {
  if (sectors.empty())
    return 0;
  const Word all = SectorSet::maskOf(sectors, 0);
  return page == nullptr ? all : all & ~(page->present.firstWord() | page->fetching.firstWord());
}

/// Drops a page if guests have fetched into it what this process needs and may not trust.
void PageCache::dropIfTaken(Page *&page, SectorSet::Word sectors) {
  if (page == nullptr || !page->isTaken(sectors))
    return;
  table_.drop(*page);
  page = nullptr;
}

/// \p sectors of page \p index, as new as this process has to see them.
NodePool::Wanted PageCache::wanted(const CachedFile &file, std::uint64_t index,
                                   SectorSet::Word sectors) const {
  return {file.pageKey(index), sectors, file.own.afterNs(index)};
}

/// What others have, or will have, of the \p sectors of page \p index that this process lacks.
PageCache::Others PageCache::others(const CachedFile &file, const Page *page, std::uint64_t index,
                                    SectorRange sectors) const {
  Others found;
  if (pool_ == nullptr)
    return found;
  const Word absent = absentIn(page, sectors);
  while (found.count < found.holders.size() && (absent & ~found.sectors) != 0) {
    const NodePool::Found more = pool_->find(wanted(file, index, absent & ~found.sectors));
    if (more.all() == 0)
      break;
    found.holders[found.count++] = more.slot;
    found.sectors |= more.all();
  }
  return found;
}

/// Whether this process or others have all \p sectors of page \p index, or fetch them.
bool PageCache::isInHand(const CachedFile &file, const Page *page, std::uint64_t index,
                         SectorRange sectors) const {
  if (page != nullptr && page->firstAbsent(sectors).empty())
    return true;
  return pool_ != nullptr &&
         (absentIn(page, sectors) & ~others(file, page, index, sectors).sectors) == 0;
}

bool PageCache::isHosted(const CachedFile &file, std::uint64_t index) const {
  return pool_ != nullptr && pool_->isHosted(wanted(file, index, 0));
}

/// Announces to others what they have of a page, and has the rest fetched into a frame of theirs if
/// this process has none (\p page). True if that is all; else \p purpose says what they provide.
bool PageCache::leaveToOthers(CachedFile &file, std::uint64_t index, Page *&page,
                              SectorRange sectors, Purpose &purpose) {
  PageTable *const table = &table_; // the analysis does not follow calls of a lambda
  const auto announce = [&](Slot slot) {
    if (purpose.sequence != 0)
      table->want(slot, purpose.sequence);
  };
  const Others found = others(file, page, index, sectors);
  std::for_each_n(found.holders.begin(), found.count, announce);
  purpose.others = found.sectors;
  file.stats.savedBytes += static_cast<unsigned>(std::popcount(found.sectors)) * kSectorBytes;
  const Word nobodys = absentIn(page, sectors) & ~found.sectors;
  if (page == nullptr && nobodys != 0) {
    const NodePool::Taken taken = fetchAsGuest(file, index, nobodys, purpose);
    purpose.others |= taken.sectors;
    if (taken.sectors != 0)
      announce(taken.slot);
  }
  dropIfTaken(page, nobodys);
  return page == nullptr && (absentIn(nullptr, sectors) & ~purpose.others) == 0;
}

/// Plans to fetch what is absent of \p sectors, except what others are to provide, or have taken.
bool PageCache::planIn(Page &page, CachedFile &file, SectorRange sectors, Purpose purpose) {
  if (pool_ != nullptr)
    purpose.others |= page.take(absentIn(&page, sectors) & ~purpose.others);
  return fetches_.plan(file, page, sectors, purpose);
}

/// Has what nobody has of \p sectors fetched into the frame that another member has for the page.
/// Returns what comes where.
NodePool::Taken PageCache::fetchAsGuest(CachedFile &file, std::uint64_t index,
                                        SectorSet::Word sectors, const Purpose &purpose) {
  const NodePool::Taken taken = pool_->beGuest(wanted(file, index, sectors));
  if (taken.sectors == 0)
    return taken;
  for (Word left = taken.sectors; left != 0;) {
    const auto first = static_cast<unsigned>(std::countr_zero(left));
    const SectorRange run{first, first + static_cast<unsigned>(std::countr_one(left >> first))};
    const Word inRun = SectorSet::maskOf(run, 0);
    left &= ~inRun;
    pool_->pin(taken.slot);
    if (!fetches_.planAsGuest(file, index, taken.slot, pool_->frame(taken.slot), run, purpose))
      (void)pool_->endGuest(taken.slot, inRun, 0); // there is no memory
  }
  pool_->unpin(taken.slot);
  return taken;
}

/// A fetch into another member's frame is done, successfully or not.
forerun_rc PageCache::arrivedAsGuest(Fetch &fetch) {
  const forerun_rc rc = FetchBook::judge(fetch);
  SectorRange opened{};
  if (rc == FORERUN_OK) {
    const ByteRange brought = showEnd(fetch);
    if (!brought.empty())
      opened = geometry_.inside(brought, geometry_.firstPage(brought));
  }
  const bool isThere = pool_->endGuest(fetch.host, SectorSet::maskOf(fetch.sectors, 0),
                                       opened.empty() ? 0 : SectorSet::maskOf(opened, 0));
  const std::size_t kept = std::size_t{opened.last - opened.first} * kSectorBytes;
  fetches_.endGuest(fetch, isThere ? kept : 0);
  return rc;
}

/// Serves a read from one page that another member holds; without any mutex. Like `hit`.
bool PageCache::hitElsewhere(CachedFile &file, void *buffer, ByteRange range) {
  const std::uint64_t index = geometry_.firstPage(range);
  if (geometry_.endPage(range) != index + 1 || range.end > file.plainEnd())
    return false;
  const NodePool::Wanted what =
      wanted(file, index, SectorSet::maskOf(geometry_.touched(range, index), 0));
  const NodePool::Found found = pool_->find(what);
  if (found.open != what.sectors ||
      !pool_->read(found.slot, what, geometry_.inPage(range.begin), buffer, range.length()))
    return false;
  file.hitsWithoutMutex.add(range.length());
  file.hitsElsewhere.add(range.length());
  return true;
}

/// Whether this process lacks the sector at which the rest of the read begins, and another has it
/// or will have it; then includes as many sectors after it as that one has, too.
bool PageCache::isElsewhere(const Reading &reading, Elsewhere &there) const {
  const CachedFile &file = reading.file;
  const ByteRange rest = reading.rest();
  if (rest.empty() || file.bypasses(rest))
    return false;
  const std::uint64_t index = geometry_.firstPage(rest);
  const SectorRange sectors = geometry_.touched(rest, index);
  const Word absent = absentIn(table_.find(file, index), sectors);
  const Word first = bit(sectors.first);
  if (index == reading.givenUp || (absent & first) == 0)
    return false;
  there.slot = pool_->find(wanted(file, index, first)).slot;
  const NodePool::Found found = pool_->look(there.slot, wanted(file, index, absent));
  const bool isOpen = (found.open & first) != 0;
  const Word has = isOpen ? found.open : found.all();
  const SectorRange run{
      sectors.first, sectors.first + static_cast<unsigned>(std::countr_one(has >> sectors.first))};
  if (run.empty())
    return false;
  there.comes = !isOpen;
  there.wanted = wanted(file, index, SectorSet::maskOf(run, 0));
  there.range = geometry_.clip(rest, index);
  if (run.last < sectors.last)
    there.range.end = geometry_.sectorBegin(index, run.last);
  return true;
}

/// False if it is no longer there, or does not come: then this process fetches it.
bool PageCache::takeFromElsewhere(const Elsewhere &there, Reading &reading) {
  if (there.comes && !pool_->await(there.slot, there.wanted))
    return false;
  if (!pool_->read(there.slot, there.wanted, geometry_.inPage(there.range.begin),
                   reading.to + reading.result.bytes, there.range.length(), &reading.faulted))
    return false;
  if (there.comes)
    reading.result.outcome = Outcome::Late;
  reading.result.bytes += there.range.length();
  reading.result.fromOthers += there.range.length();
  if (reading.program)
    reading.file.hitsElsewhere.add(there.range.length());
  return true;
}

/// Cuts \p piece before the first sector that another member is to provide.
void PageCache::cutBeforeOthers(const CachedFile &file, Piece &piece) const {
  const Word theirs = others(file, piece.page, piece.index, piece.sectors).sectors;
  if (theirs == 0)
    return;
  piece.sectors.last = static_cast<unsigned>(std::countr_zero(theirs));
  piece.range.end =
      std::max(piece.range.begin, geometry_.sectorBegin(piece.index, piece.sectors.last));
}

/// What others wait for takes precedence over what nobody waits for.
void PageCache::hastenForOthers() {
  if (pool_ == nullptr)
    return;
  const SectorRange all{0, geometry_.sectorsPerPage()};
  while (const std::optional<Slot> slot = pool_->hastened()) {
    if (const Page *page = table_.heldIn(*slot))
      FetchBook::raise(*engine_, *page, all);
    fetches_.raiseGuests(*engine_, *slot);
  }
}

} // namespace forerun

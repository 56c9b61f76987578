// SPDX-License-Identifier: Apache-2.0
#include "cache/PageCache.h"
#include "forerun/Clock.h"
#include "forerun/GuardedCopy.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace forerun {

ReadResult PageCache::read(CachedFile &file, void *buffer, std::uint64_t offset,
                           std::size_t length) {
  return readForProgram(file, buffer, offset, length, false);
}

ReadResult PageCache::readOrFetch(CachedFile &file, void *buffer, std::uint64_t offset,
                                  std::size_t length) {
  return readForProgram(file, buffer, offset, length, true);
}

ReadResult PageCache::readForProgram(CachedFile &file, void *buffer, std::uint64_t offset,
                                     std::size_t length, bool fetches) {
  if (length == 0)
    return {Outcome::Hit, 0, 0};
  Reading reading{.file = file,
                  .to = static_cast<std::byte *>(buffer),
                  .range = ByteRange::of(offset, length),
                  .program = true,
                  .fetches = fetches};
  if (reading.range.length() < length) {
    // No file reaches beyond the last offset: the file system reports the error.
    const MutexLock lock(mutex_, kSpinFirst);
    return reading.missed();
  }
  if (hit(file, buffer, reading.range))
    return {Outcome::Hit, length, 0};
  if (sharing_->hit(file, buffer, reading.range))
    return {Outcome::Hit, length, 0, length};
  return serve(reading);
}

/// Serves a read from one open page; without the mutex, except when touches have piled up.
bool PageCache::hit(CachedFile &file, void *buffer, ByteRange range) {
  const std::uint64_t index = geometry_.firstPage(range);
  if (geometry_.endPage(range) != index + 1 || range.end > file.plainEnd())
    return false;
  for (unsigned way = 0; way < OpenPages::kWays; ++way) {
    Page *page = tableWithoutMutex().findOpen(file, index, way);
    if (page == nullptr)
      continue;
    page->pin();
    const bool served = copyIfOpen(*page, file, buffer, range);
    const bool apply = served && tableWithoutMutex().touchLater(*page);
    letGo(*page);
    if (apply) {
      const MutexLock lock(mutex_, kSpinFirst);
      table_.applyTouches();
    }
    if (served)
      return true;
  }
  return false;
}

/// With \p page pinned. False if it is another page, not all of \p range is open, or the buffer cannot
/// be written to.
bool PageCache::copyIfOpen(Page &page, CachedFile &file, void *buffer, ByteRange range) {
  const std::uint64_t index = geometry_.firstPage(range);
  const SectorRange sectors = geometry_.touched(range, index);
  if (sectors.empty() || sectors.last > SectorSet::kWordBits)
    return false;
  const Sectors needed = bitsOf(sectors);
  if ((page.open.load() & needed) != needed || page.file != &file || page.index != index)
    return false;
  if (!copyGuarded(buffer, page.frame + geometry_.inPage(range.begin), range.length()))
    return false;
  file.hitsWithoutMutex.add(range.length());
  return true;
}

ReadResult PageCache::readThrough(CachedFile &file, void *buffer, std::uint64_t offset,
                                  std::size_t length, Sequence sequence) {
  Reading reading{.file = file,
                  .to = static_cast<std::byte *>(buffer),
                  .range = ByteRange::of(offset, length),
                  .program = false,
                  .sequence = sequence};
  if (reading.range.length() < length)
    return reading.missed();
  engine_->flush(); // for a thread that gathers and now waits for these bytes
  ++frameSeekers_;
  const ReadResult result = serve(reading);
  --frameSeekers_;
  return result;
}

bool PageCache::covered(CachedFile &file, std::uint64_t offset, std::uint64_t length) {
  const MutexLock lock(mutex_, kSpinFirst);
  const ByteRange range = file.upToEnd(ByteRange::of(offset, length));
  if (file.bypasses(ByteRange::of(offset, length)))
    return false;
  if (range.empty())
    return length == 0;
  return planner_.covers(file, range);
}

/// Reads chunk by chunk, so that a read may be larger than the cache. The end of the file can
/// become known, or be forgotten, in between.
ReadResult PageCache::serve(Reading &reading) {
  MutexLock lock(mutex_, kSpinFirst);
  for (;;) {
    for (Elsewhere there; sharing_->find(reading, there);) {
      lock.unlock();
      sharing_->take(there, reading);
      lock.lock();
      if (reading.faulted)
        return reading.missed();
    }
    const ByteRange rest = reading.rest();
    if (reading.file.bypasses(rest))
      return reading.missed();
    if (rest.empty()) // beyond the end the file system answers: nothing, or an error
      return reading.program && reading.result.bytes == 0 ? reading.missed() : reading.served();
    Chunk chunk;
    if (!planner_.collect(chunk, reading)) {
      if (reading.program && reading.result.bytes == 0) {
        reading.result.fetched = !table_.anyIn(reading.file, rest, [&](const Page &page) {
          const SectorRange sectors = geometry_.touched(rest, page.index);
          return page.present.hasAny(sectors) || page.fetching.hasAny(sectors);
        });
        if ((reading.result.fetched && !reading.fetches) ||
            planner_.isLongAndAbsent(reading.file, rest))
          return reading.missed();
      }
      if (chunk.count > 0 && !planner_.acquire(chunk, reading)) {
        if (reading.program || reading.noMemory)
          return reading.missed();
        lock.wait(frameIdle_, sharing_->untilFrameIdle());
        continue;
      }
      if (chunk.count == 0)
        continue; // others have it by now
      reading.result.outcome = Outcome::Late;
    }
    pin(chunk, reading.sequence);
    if (FetchRequest *own = std::exchange(reading.own, nullptr)) {
      lock.unlock();
      engine_->submitAndRead(*own);
      lock.lock();
    }
    if (!arrive(lock, chunk, reading))
      return reading.missed();
    std::byte *const to = reading.next();
    for (const Piece &piece : chunk)
      reading.result.bytes += piece.range.length();
    const bool last = reading.rest().empty();
    if (last)
      reading.served();
    lock.unlock();
    const bool isCopied = copyAndRelease(chunk, to);
    if (last && isCopied)
      return reading.result;
    lock.lock();
    if (!isCopied)
      return last ? reading.servedInVain() : reading.missed();
  }
}

/// From here on the chunk's pages keep their frames. Their bytes may be renewed until `arrive` ends.
void PageCache::pin(Chunk &chunk, Sequence sequence) {
  for (const Piece &piece : chunk) {
    piece.page->pin();
    ++piece.page->waiting;
    if (sequence != 0)
      table_.announce(*piece.page, sequence);
    table_.touch(*piece.page);
  }
}

/// Waits for the chunk's fetches, cuts it at the end of the file as known then, and counts what they
/// brought. False, with nothing pinned any more, if some of it did not come or is outdated.
bool PageCache::arrive(MutexLock &lock, Chunk &chunk, Reading &reading) {
  const bool isLate = reading.result.outcome == Outcome::Late;
  const std::uint64_t before = isLate ? nowNs() : 0;
  for (const Piece &piece : chunk)
    while (isLate && !piece.page->orphan && piece.page->fetching.hasAny(piece.sectors))
      lock.wait(arrivedIn(*piece.page));
  const std::uint64_t waitedNs = isLate ? nowNs() - before : 0;
  bool hasCome = true;
  for (Piece &piece : chunk) {
    --piece.page->waiting;
    if (!isLate)
      continue;
    piece.range = reading.file.upToEnd(piece.range);
    piece.sectors = geometry_.touched(piece.range, piece.index);
    hasCome = hasCome && !piece.page->orphan && piece.page->present.hasAll(piece.sectors);
  }
  if (!hasCome) {
    for (const Piece &piece : chunk)
      if (piece.page->unpin())
        settle(*piece.page);
    return false;
  }
  if (reading.program)
    countRead(chunk, reading, waitedNs);
  return true;
}

/// False: \p to could not be written to.
bool PageCache::copyAndRelease(Chunk &chunk, std::byte *to) {
  bool isCopied = true;
  for (const Piece &piece : chunk) {
    const std::byte *const from = piece.page->frame + geometry_.inPage(piece.range.begin);
    isCopied = isCopied && copyGuarded(to, from, piece.range.length());
    to += piece.range.length();
  }
  for (const Piece &piece : chunk)
    letGo(*piece.page);
  return isCopied;
}

/// Ends a pin; takes the lock only if somebody waits for that.
void PageCache::letGo(Page &page) {
  if (page.unpin() && (page.orphan || frameSeekers_ > 0)) {
    const MutexLock lock(mutex_, kSpinFirst);
    settle(page);
  }
}

/// Counts what of the chunk was fetched ahead as used, and the time of the fetches that brought it,
/// minus the reader's wait, as hidden. Pages of one chunk are fetched concurrently: the longest
/// fetch is what the program would have waited for.
void PageCache::countRead(Chunk &chunk, Reading &reading, std::uint64_t waitedNs) {
  std::uint64_t fetchNs = 0;
  for (const Piece &piece : chunk) {
    Page &page = *piece.page;
    fetchNs = std::max(fetchNs, std::exchange(page.fetchNs, 0));
    for (unsigned sector = piece.sectors.first; sector < piece.sectors.last; ++sector)
      if (page.ahead.has(sector))
        reading.file.stats.usefulBytes += table_.bytesIn(reading.file, page.index, sector);
    page.ahead.remove(piece.sectors);
    table_.open(page);
  }
  if (!reading.result.fetched)
    reading.result.hiddenNs += fetchNs > waitedNs ? fetchNs - waitedNs : 0;
}

// ---- fills ----

std::uint64_t PageCache::ticket(CachedFile &file) {
  const MutexLock lock(mutex_, kSpinFirst);
  return file.changes;
}

/// While bytes are copied in, their sectors are `fetching`: nobody fetches them, readers wait. A
/// page outdated meanwhile becomes an orphan, as with a fetch.
void PageCache::fill(CachedFile &file, std::uint64_t ticket, const void *bytes,
                     std::uint64_t offset, std::size_t length, bool endOfFile) {
  const ByteRange range = ByteRange::of(offset, length);
  if (range.length() < length)
    return;
  MutexLock lock(mutex_, kSpinFirst);
  if (file.changes != ticket || file.bypasses(range))
    return;
  if (coherence_.showEnd(file, range.end, !range.empty(), endOfFile))
    wakeAllReaders();
  for (ByteRange rest = range; !rest.empty() && file.changes == ticket;) {
    Chunk chunk;
    rest.begin = planner_.reserve(file, rest, chunk);
    if (chunk.count == 0)
      continue;
    lock.unlock();
    for (const Piece &piece : chunk)
      std::memcpy(piece.page->frame + geometry_.inPage(piece.range.begin),
                  static_cast<const std::byte *>(bytes) + (piece.range.begin - offset),
                  piece.range.length());
    lock.lock();
    for (const Piece &piece : chunk) {
      Page &page = *piece.page;
      page.fetching.remove(piece.sectors);
      if (!page.orphan)
        page.present.add(piece.sectors);
      table_.open(page);
      page.unpin();
      wakeReaders(page);
      settle(page);
    }
  }
}

// ---- lending to other nodes ----

/// Copies what is here of \p sectors, one after the other; returns which: from its own page and, in
/// a pool, from those of the node's other processes, into which it may have fetched as a guest. The
/// sector that the end of the file cuts is not given: its length would have to be sent, too.
Sectors PageCache::lend(const PeerPage &page, Sectors sectors, std::byte *to) {
  MutexLock lock(mutex_, kSpinFirst);
  CachedFile *const named = sharing_->named(page.file);
  if (named == nullptr)
    return 0;
  CachedFile &file = *named;
  Page *const own = table_.find(file, page.index);
  const Sectors mine =
      own == nullptr ? 0 : sectors & own->present.firstWord() & table_.wholeSectors(*own);
  if (own != nullptr) {
    table_.touch(*own);
    own->pin();
  }
  const unsigned turn = file.turn;
  ++file.inFlight[turn]; // it is not closed meanwhile
  lock.unlock();
  Sectors lent = 0;
  for (Sectors rest = sectors; rest != 0; rest &= rest - 1) {
    const auto sector = static_cast<unsigned>(std::countr_zero(rest));
    const Sectors one = rest & -rest;
    if ((mine & one) != 0)
      std::memcpy(to, own->frame + sector * kSectorBytes, kSectorBytes);
    else if (!sharing_->copy(file, page.index, sector, to))
      continue;
    lent |= one;
    to += kSectorBytes;
  }
  if (own != nullptr)
    letGo(*own);
  lock.lock();
  returned(file, turn);
  return lent;
}

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#include "cache/Chunk.h"
#include "cache/Reading.h"

#include "forerun/Clock.h"
#include "forerun/GuardedCopy.h"
#include "pool/Claim.h"

#include <algorithm>
#include <optional>
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
  if (reading.range.length() == length && hit(file, buffer, reading.range))
    return {Outcome::Hit, length, 0};
  if (pool_ != nullptr && reading.range.length() == length &&
      hitElsewhere(file, buffer, reading.range))
    return {Outcome::Hit, length, 0, length};
  if (reading.range.length() < length) {
    // No file reaches beyond the last offset: the file system reports the error.
    const MutexLock lock(mutex_, kSpinFirst);
    return reading.missed();
  }
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
  const SectorSet::Word needed = SectorSet::maskOf(sectors, 0);
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
  const std::uint64_t endPage = geometry_.endPage(range);
  if (pool_ == nullptr && endPage - geometry_.firstPage(range) > file.pages.size())
    return false;
  for (std::uint64_t index = geometry_.firstPage(range); index < endPage; ++index)
    if (!isInHand(file, table_.find(file, index), index, geometry_.touched(range, index)))
      return false;
  return true;
}

bool PageCache::anythingIn(const CachedFile &file, ByteRange range) const {
  const auto thereIn = [&](const Page &page) {
    const SectorRange sectors = geometry_.touched(range, page.index);
    return page.present.hasAny(sectors) || page.fetching.hasAny(sectors);
  };
  const std::uint64_t first = geometry_.firstPage(range);
  const std::uint64_t endPage = geometry_.endPage(range);
  if (endPage - first > file.pages.size())
    return std::ranges::any_of(file.pages,
                               [&](const auto &entry) { return thereIn(*entry.second); });
  for (std::uint64_t index = first; index < endPage; ++index)
    if (const Page *page = table_.find(file, index); page != nullptr && thereIn(*page))
      return true;
  return false;
}

/// Whether \p range is long, and brought page by page would take longer than from the storage in one
/// piece: because it passes through all of the cache many times; or because most of it is neither
/// here nor under way, and its beginning neither, as it would be if it had been announced. Then it
/// is in the cache by chance, and would evict what is announced.
bool PageCache::isLongAndAbsent(const CachedFile &file, ByteRange range) const {
  constexpr std::uint64_t kLeastLong = 16, kShareOfCache = 8, kShareOfBeginning = 4, kPasses = 8;
  const std::uint64_t first = geometry_.firstPage(range), endPage = geometry_.endPage(range);
  if (endPage - first <= std::max<std::uint64_t>(kLeastLong, table_.frames() / kShareOfCache))
    return false;
  std::uint64_t absent = 0;
  bool hasBeginning = true;
  for (std::uint64_t index = first; index < endPage; ++index)
    if (!isInHand(file, table_.find(file, index), index, geometry_.touched(range, index))) {
      ++absent;
      hasBeginning = hasBeginning && index - first >= table_.frames() / kShareOfBeginning;
    }
  return absent > kPasses * table_.frames() || (!hasBeginning && 2 * absent > endPage - first);
}

/// Reads chunk by chunk, so that a read may be larger than the cache. The end of the file can
/// become known, or be forgotten, in between.
ReadResult PageCache::serve(Reading &reading) {
  MutexLock lock(mutex_, kSpinFirst);
  for (;;) {
    Elsewhere there;
    while (pool_ != nullptr && isElsewhere(reading, there)) {
      fetches_.raiseGuests(*engine_, there.slot);
      lock.unlock();
      const bool came = takeFromElsewhere(there, reading);
      lock.lock();
      if (reading.faulted)
        return reading.missed();
      if (!came)
        reading.givenUp = geometry_.firstPage(there.range);
    }
    const ByteRange rest = reading.rest();
    if (reading.file.bypasses(rest))
      return reading.missed();
    if (rest.empty()) // beyond the end the file system answers: nothing, or an error
      return reading.program && reading.result.bytes == 0 ? reading.missed() : reading.served();
    Chunk chunk(reading.file);
    if (!collect(rest, chunk, reading)) {
      if (reading.program && reading.result.bytes == 0) {
        reading.result.fetched = !anythingIn(reading.file, rest);
        if ((reading.result.fetched && !reading.fetches) || isLongAndAbsent(reading.file, rest))
          return reading.missed();
      }
      if (chunk.count > 0 && !acquire(chunk, reading)) {
        if (reading.program || reading.noMemory)
          return reading.missed();
        awaitIdleFrame(lock);
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
    std::byte *const to = reading.to + reading.result.bytes;
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

/// What others do with this process's frames is not reported here.
void PageCache::awaitIdleFrame(MutexLock &lock) {
  if (pool_ == nullptr)
    lock.wait(frameIdle_);
  else
    lock.wait(frameIdle_, std::chrono::milliseconds(1));
}

/// Looks up the first pages of \p range (not empty), up to what others are to provide. True if
/// every byte of them is present.
bool PageCache::collect(ByteRange range, Chunk &chunk, const Reading &reading) const {
  const std::uint64_t first = geometry_.firstPage(range);
  const std::uint64_t endPage =
      std::min<std::uint64_t>(geometry_.endPage(range), first + Chunk::kMaxPieces);
  bool present = true;
  for (std::uint64_t index = first; index < endPage; ++index) {
    Page *const page = table_.find(*chunk.file, index);
    Piece piece{page, index, geometry_.clip(range, index), geometry_.touched(range, index)};
    const std::uint64_t end = piece.range.end;
    if (pool_ != nullptr && index != reading.givenUp)
      cutBeforeOthers(*chunk.file, piece);
    const bool isCut = piece.range.end != end; // then the rest is taken from there next
    if (isCut && piece.range.empty())
      break;
    chunk.add(piece);
    present = present && page != nullptr && page->present.hasAll(piece.sectors);
    if (isCut)
      break;
  }
  return present && chunk.count > 0;
}

/// Ensures that all sectors of the chunk are present or being fetched, at once. Cuts the chunk
/// before the first page that gets no frame or no memory (false if nothing is left), and before
/// what others have by now.
bool PageCache::acquire(Chunk &chunk, Reading &reading) {
  CachedFile &file = *chunk.file;
  const std::uint64_t first = chunk.pieces[0].index;
  const std::uint64_t endPage = first + chunk.count;
  // Among demand fetches, what the program itself waits for comes first.
  const Purpose purpose{.kind = FetchKind::Demand,
                        .ahead = !reading.program,
                        .sequence = reading.program ? 1 : reading.sequence};
  std::size_t acquired = 0;
  bool isTheirs = false;
  for (; acquired < chunk.count; ++acquired) {
    Piece &piece = chunk.pieces[acquired];
    std::optional<Claim> claim;
    if (pool_ != nullptr && piece.index != reading.givenUp) {
      claim.emplace(*pool_, file.pageKey(piece.index));
      const SectorSet::Word absent = absentIn(piece.page, piece.sectors);
      isTheirs =
          others(file, piece.page, piece.index, piece.sectors).count > 0 ||
          (piece.page == nullptr && fetchAsGuest(file, piece.index, absent, purpose).sectors != 0);
      if (isTheirs)
        break;
    }
    if (pool_ != nullptr)
      dropIfTaken(piece.page, absentIn(piece.page, piece.sectors));
    if (piece.page == nullptr) {
      if (!table_.makeRoom(1, kNow, file, first, endPage)) {
        // Only pages further on in the range are left to evict, if any.
        if (acquired > 0 || !table_.makeRoom(1, kNow, file, 0, 0))
          break;
        chunk.count = 1;
      }
      piece.page = table_.add(file, piece.index);
    }
    reading.noMemory = piece.page == nullptr;
    if (reading.noMemory)
      break;
    FetchBook::raise(*engine_, *piece.page, piece.sectors);
    reading.noMemory = !planIn(*piece.page, file, piece.sectors, purpose);
    if (reading.noMemory)
      break;
    PageTable::tellComing(*piece.page);
  }
  chunk.count = acquired;
  // If each address depends on the bytes before it, the latency of such reads is all that counts.
  if (!reading.noMemory && acquired > 0)
    reading.own = fetches_.takeOnly();
  fetches_.submit(*engine_);
  return acquired > 0 || isTheirs;
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

/// Waits for the chunk's fetches and counts what they brought. False, with nothing pinned any more,
/// if some of it did not come or is outdated.
bool PageCache::arrive(MutexLock &lock, Chunk &chunk, Reading &reading) {
  const bool isLate = reading.result.outcome == Outcome::Late;
  const std::uint64_t waitedNs = isLate ? await(lock, chunk) : 0;
  for (const Piece &piece : chunk)
    --piece.page->waiting;
  if (isLate && !trim(chunk)) {
    for (const Piece &piece : chunk)
      if (piece.page->unpin())
        settle(*piece.page);
    return false;
  }
  countRead(chunk, reading, waitedNs);
  return true;
}

/// False: \p to could not be written to.
bool PageCache::copyAndRelease(const Chunk &chunk, std::byte *to) {
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

/// Sleeps until no sector of the chunk is being fetched; returns how long.
std::uint64_t PageCache::await(MutexLock &lock, const Chunk &chunk) {
  const std::uint64_t before = nowNs();
  for (const Piece &piece : chunk) {
    const Page &page = *piece.page;
    while (!page.orphan && page.fetching.hasAny(piece.sectors))
      lock.wait(arrivedIn(page));
  }
  return nowNs() - before;
}

/// Cuts the chunk at the end of the file as known now. False if a byte before that is not
/// present.
bool PageCache::trim(Chunk &chunk) const {
  return std::ranges::all_of(chunk, [&](Piece &piece) {
    piece.range = chunk.file->upToEnd(piece.range);
    piece.sectors = geometry_.touched(piece.range, piece.index);
    return !piece.page->orphan && piece.page->present.hasAll(piece.sectors);
  });
}

/// Counts what of the chunk was fetched ahead as used, and the time of the fetches that brought it,
/// minus the reader's wait, as hidden. Pages of one chunk are fetched concurrently: the longest
/// fetch is what the program would have waited for.
void PageCache::countRead(Chunk &chunk, Reading &reading, std::uint64_t waitedNs) {
  if (!reading.program)
    return;
  std::uint64_t fetchNs = 0;
  for (const Piece &piece : chunk) {
    Page &page = *piece.page;
    fetchNs = std::max(fetchNs, std::exchange(page.fetchNs, 0));
    for (unsigned sector = piece.sectors.first; sector < piece.sectors.last; ++sector)
      if (page.ahead.has(sector))
        chunk.file->stats.usefulBytes += table_.bytesIn(*chunk.file, page.index, sector);
    page.ahead.remove(piece.sectors);
    table_.open(page);
  }
  if (!reading.result.fetched)
    reading.result.hiddenNs += fetchNs > waitedNs ? fetchNs - waitedNs : 0;
}

} // namespace forerun

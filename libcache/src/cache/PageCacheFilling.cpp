// SPDX-License-Identifier: Apache-2.0
#include "cache/Chunk.h"

#include <cstring>

namespace forerun {

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
  if (ends_.show(file, range.end, !range.empty(), endOfFile))
    wakeAllReaders();
  for (ByteRange rest = range; !rest.empty() && file.changes == ticket;) {
    Chunk chunk(file);
    rest.begin = reserve(rest, chunk);
    if (chunk.count == 0)
      continue;
    lock.unlock();
    for (const Piece &piece : chunk)
      std::memcpy(piece.page->frame + geometry_.inPage(piece.range.begin),
                  static_cast<const std::byte *>(bytes) + (piece.range.begin - offset),
                  piece.range.length());
    lock.lock();
    publish(chunk);
  }
}

/// Takes absent sectors of \p range into the chunk, in frames without announced pages. Returns
/// where the next chunk begins: the end of the range if there are no such frames.
std::uint64_t PageCache::reserve(ByteRange range, Chunk &chunk) {
  CachedFile &file = *chunk.file;
  const std::uint64_t endPage = geometry_.endPage(range);
  for (std::uint64_t index = geometry_.firstPage(range); index < endPage; ++index) {
    if (chunk.count == Chunk::kMaxPieces)
      return geometry_.pageBegin(index);
    SectorRange sectors = geometry_.inside(range, index);
    if (file.end() == range.end && index + 1 == endPage)
      sectors.last = geometry_.touched(range, index).last;
    Page *page = table_.find(file, index);
    if (page != nullptr)
      sectors = page->firstAbsent(sectors); // what lies after a second gap is not worth more effort
    if (sectors.empty())
      continue;
    if (page == nullptr) {
      if (!table_.makeRoom(1, kUnannounced, file, 0, 0))
        return range.end;
      page = table_.add(file, index);
      if (page == nullptr)
        return range.end;
    }
    const SectorSet::Word word = page->wordOf(sectors);
    if (const SectorSet::Word others = page->take(word); others != 0) {
      page->release(word & ~others);
      continue; // they fetch into it
    }
    page->fetching.add(sectors);
    page->filled = true; // with bytes requested before the page had its frame
    table_.open(*page);
    PageTable::tellComing(*page);
    page->pin();
    const std::uint64_t begin = geometry_.sectorBegin(index, sectors.first);
    const std::uint64_t end = geometry_.sectorBegin(index, sectors.last);
    chunk.add({page, index, {begin, std::min(end, range.end)}, sectors});
  }
  return range.end;
}

void PageCache::publish(Chunk &chunk) {
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

} // namespace forerun

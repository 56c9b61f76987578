// SPDX-License-Identifier: Apache-2.0
#include "cache/Chunk.h"

#include <cstring>

namespace forerun {

std::uint64_t PageCache::ticket(CachedFile &file) {
  const Lock lock = hold();
  return file.changes;
}

/// While bytes are copied in, their sectors are `fetching`: nobody fetches them, readers wait. An
/// outdated page becomes an orphan meanwhile, as with a fetch.
void PageCache::fill(CachedFile &file, std::uint64_t ticket, const void *bytes,
                     std::uint64_t offset, std::size_t length, bool endOfFile) {
  const ByteRange range = ByteRange::of(offset, length);
  if (range.length() < length)
    return;
  Lock lock = hold();
  if (file.changes != ticket || file.bypasses(range))
    return;
  showEnd(file, range.end, !range.empty(), endOfFile);
  for (ByteRange rest = range; !rest.empty() && file.changes == ticket;) {
    Chunk chunk(file);
    rest.begin = reserve(rest, chunk);
    if (chunk.count == 0)
      continue;
    lock.unlock();
    for (const Piece &piece : chunk)
      std::memcpy(piece.page->frame + table_.geometry().inPage(piece.range.begin),
                  static_cast<const std::byte *>(bytes) + (piece.range.begin - offset),
                  piece.range.length());
    lock.lock();
    publish(chunk);
  }
}

/// Takes absent sectors of \p range into the chunk, and frames for them that nobody has announced.
/// Returns where the next chunk begins: the end of the range when there are no such frames.
std::uint64_t PageCache::reserve(ByteRange range, Chunk &chunk) {
  CachedFile &file = *chunk.file;
  const Geometry &geometry = table_.geometry();
  const std::uint64_t behind = geometry.behindPage(range);
  for (std::uint64_t index = geometry.firstPage(range); index < behind; ++index) {
    if (chunk.count == Chunk::kMostPieces)
      return geometry.pageBegin(index);
    SectorRange sectors = geometry.inside(range, index);
    if (file.end == range.end && index + 1 == behind)
      sectors.last = geometry.touched(range, index).last;
    Page *page = table_.find(file, index);
    if (page != nullptr)
      sectors = firstAbsent(*page, sectors);
    if (sectors.empty())
      continue;
    if (page == nullptr) {
      if (!table_.makeRoom(1, kUnannounced, file, 0, 0))
        return range.end;
      page = &table_.add(file, index);
    }
    page->fetching.add(sectors);
    page->pin();
    const std::uint64_t begin = geometry.sectorBegin(index, sectors.first);
    const std::uint64_t end = geometry.sectorBegin(index, sectors.last);
    chunk.add(page, index, {begin, std::min(end, range.end)}, sectors);
  }
  return range.end;
}

/// The first run of absent sectors in \p sectors. What lies behind a second gap is not worth more.
SectorRange PageCache::firstAbsent(const Page &page, SectorRange sectors) {
  const auto there = [&page](unsigned sector) {
    return page.present.has(sector) || page.fetching.has(sector);
  };
  while (!sectors.empty() && there(sectors.first))
    ++sectors.first;
  SectorRange run{sectors.first, sectors.first};
  while (run.last < sectors.last && !there(run.last))
    ++run.last;
  return run;
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

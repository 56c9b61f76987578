// SPDX-License-Identifier: Apache-2.0
#include "cache/PagePlanner.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace forerun {

namespace {

Sequence neededAt(Sequence announced) { return announced != 0 ? announced : kUnannounced; }

} // namespace

Announced PagePlanner::announce(CachedFile &file, ByteRange range, Sequence sequence) {
  range = file.upToEnd(range);
  if (range.empty() || file.bypasses(range))
    return Announced::Accepted;
  const std::uint64_t first = geometry_.firstPage(range);
  std::uint64_t endPage = geometry_.endPage(range);
  std::uint64_t refused = 0;
  if (endPage - first > table_.frames()) {
    endPage = first + table_.frames();
    refused = range.end - geometry_.pageBegin(endPage);
    range.end -= refused;
  }

  std::size_t absent = 0; // pages that nobody has a frame for
  for (std::uint64_t index = first; index < endPage; ++index)
    absent += table_.find(file, index) == nullptr && !sharing_.isHosted(file, index) ? 1 : 0;
  if (!table_.mayAnnounce(endPage - first) ||
      !table_.makeRoom(absent, neededAt(sequence), file, first, endPage))
    return Announced::Full;
  file.stats.refusedBytes += refused;
  for (std::uint64_t index = first; index < endPage; ++index)
    if (!fetchAhead(file, index, range, sequence))
      break; // no memory: the rest is not fetched ahead
  fetches_.submitAhead();
  return Announced::Accepted;
}

/// Announces the part of \p range in page \p index, and fetches what nobody has of it. False: there
/// was no memory.
bool PagePlanner::fetchAhead(CachedFile &file, std::uint64_t index, ByteRange range,
                             Sequence sequence) {
  Piece piece = table_.pieceOf(file, index, range);
  Purpose purpose{.kind = FetchKind::Prefetch, .ahead = true, .sequence = sequence};
  std::optional<Claim> claim;
  if (piece.page == nullptr || !piece.page->firstAbsent(piece.sectors).empty()) {
    if (sharing_.leave(claim, file, piece, purpose))
      return true;
    dropIfTaken(piece, purpose);
    // Others may have had a frame for it a moment ago: then no room was made for it.
    if (piece.page == nullptr &&
        !table_.makeRoom(1, neededAt(sequence), file, geometry_.firstPage(range),
                         geometry_.endPage(range)))
      return true;
  }
  if (piece.page == nullptr)
    piece.page = table_.add(file, index);
  if (piece.page == nullptr)
    return false;
  if (sequence != 0)
    table_.announce(*piece.page, sequence);
  return fetches_.plan(file, *piece.page, piece.sectors, purpose);
}

/// Drops a page if guests have fetched into it what this process needs and may not trust.
void PagePlanner::dropIfTaken(Piece &piece, const Purpose &purpose) {
  if (piece.page == nullptr || !piece.page->isTaken(piece.absent() & ~purpose.others))
    return;
  table_.drop(*piece.page);
  piece.page = nullptr;
}

bool PagePlanner::isInHand(const CachedFile &file, std::uint64_t index, ByteRange range) const {
  const Piece piece = table_.pieceOf(file, index, range);
  if (piece.page != nullptr && piece.page->firstAbsent(piece.sectors).empty())
    return true;
  const Sectors theirs = sharing_.others(file, piece);
  return theirs != 0 && theirs == piece.absent();
}

bool PagePlanner::covers(const CachedFile &file, ByteRange range) const {
  const std::uint64_t endPage = geometry_.endPage(range);
  for (std::uint64_t index = geometry_.firstPage(range); index < endPage; ++index)
    if (!isInHand(file, index, range))
      return false;
  return true;
}

bool PagePlanner::isLongAndAbsent(const CachedFile &file, ByteRange range) const {
  constexpr std::uint64_t kLeastLong = 16, kShareOfCache = 8, kShareOfBeginning = 4, kPasses = 8;
  const std::uint64_t first = geometry_.firstPage(range), endPage = geometry_.endPage(range);
  if (endPage - first <= std::max<std::uint64_t>(kLeastLong, table_.frames() / kShareOfCache))
    return false;
  std::uint64_t absent = 0;
  bool hasBeginning = true;
  for (std::uint64_t index = first; index < endPage; ++index)
    if (!isInHand(file, index, range)) {
      ++absent;
      hasBeginning = hasBeginning && index - first >= table_.frames() / kShareOfBeginning;
    }
  return absent > kPasses * table_.frames() || (!hasBeginning && 2 * absent > endPage - first);
}

bool PagePlanner::collect(Chunk &chunk, const Reading &reading) const {
  const ByteRange range = reading.rest();
  const std::uint64_t first = geometry_.firstPage(range);
  std::uint64_t endPage =
      std::min<std::uint64_t>(geometry_.endPage(range), first + Chunk::kMaxPieces);
  bool present = true;
  for (std::uint64_t index = first; index < endPage; ++index) {
    Piece piece = table_.pieceOf(reading.file, index, range);
    const Sectors theirs = index == reading.givenUp ? 0 : sharing_.others(reading.file, piece);
    if (theirs != 0) { // it is taken from there next
      endPage = index + 1;
      piece.sectors.last = static_cast<unsigned>(std::countr_zero(theirs));
      piece.range.end =
          std::max(piece.range.begin, geometry_.sectorBegin(index, piece.sectors.last));
      if (piece.range.empty())
        break;
    }
    chunk.add(piece);
    present = present && piece.page != nullptr && piece.page->present.hasAll(piece.sectors);
  }
  return present && chunk.count > 0;
}

bool PagePlanner::acquire(Chunk &chunk, Reading &reading) {
  CachedFile &file = reading.file;
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
    isTheirs = piece.index != reading.givenUp && sharing_.isTheirs(claim, file, piece, purpose);
    if (isTheirs)
      break;
    dropIfTaken(piece, purpose);
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
    fetches_.raise(*piece.page, piece.sectors);
    reading.noMemory = !fetches_.plan(file, *piece.page, piece.sectors, purpose);
    if (reading.noMemory)
      break;
  }
  chunk.count = acquired;
  // If each address depends on the bytes before it, the latency of such reads is all that counts.
  if (!reading.noMemory && acquired > 0)
    reading.own = fetches_.takeOnly();
  fetches_.submit();
  return acquired > 0 || isTheirs;
}

std::uint64_t PagePlanner::reserve(CachedFile &file, ByteRange range, Chunk &chunk) {
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
    const Sectors word = page->wordOf(sectors);
    if (const Sectors others = page->take(word); others != 0) {
      page->release(word & ~others);
      continue; // they fetch into it
    }
    page->fetching.add(sectors);
    page->filled = true; // with bytes requested before the page had its frame
    table_.open(*page);
    page->tellComing();
    page->pin();
    const std::uint64_t begin = geometry_.sectorBegin(index, sectors.first);
    const std::uint64_t end = geometry_.sectorBegin(index, sectors.last);
    chunk.add({page, index, {begin, std::min(end, range.end)}, sectors});
  }
  return range.end;
}

} // namespace forerun

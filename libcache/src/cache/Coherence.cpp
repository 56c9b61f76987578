// SPDX-License-Identifier: Apache-2.0
#include "cache/Coherence.h"

#include "forerun/Clock.h"

namespace forerun {

void Coherence::beginEpoch(CachedFile &file) {
  ++file.changes;
  file.own.beginEpoch(nowNs());
  while (!file.pages.empty())
    table_.drop(*file.pages.begin()->second);
  file.setEnd(CachedFile::kUnknownEnd);
}

void Coherence::noteChange(CachedFile &file, ByteRange range) {
  const Geometry &geometry = table_.geometry();
  ++file.changes;
  file.own.wrote(geometry.firstPage(range), geometry.endPage(range), nowNs());
  if (range.end > file.end())
    (void)forgetEnd(file);
}

void Coherence::outdate(CachedFile &file, ByteRange range) {
  noteChange(file, range);
  (void)table_.anyIn(file, range, [&](Page &page) {
    table_.outdate(page, table_.geometry().touched(range, page.index));
    return false;
  });
}

/// The file may have grown. Returns what `showEnd` does.
bool Coherence::forgetEnd(CachedFile &file) {
  const std::uint64_t end = file.end();
  const bool cutsASector = end % kSectorBytes != 0;
  if (cutsASector) {
    const Piece last = table_.pieceOf(file, table_.geometry().pageOf(end - 1), {end - 1, end});
    if (last.page != nullptr)
      table_.outdate(*last.page, last.sectors);
  }
  file.setEnd(CachedFile::kUnknownEnd);
  return cutsASector;
}

bool Coherence::showEnd(CachedFile &file, std::uint64_t upTo, bool bytesBefore, bool ended) {
  bool wake = false;
  if (bytesBefore && upTo > file.end())
    wake = forgetEnd(file);
  if (!ended || upTo >= file.end())
    return wake;
  wake = forgetEnd(file) || wake;
  if (!file.isVolatileBeyond(upTo))
    file.setEnd(upTo);
  return wake;
}

} // namespace forerun

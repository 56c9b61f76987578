// SPDX-License-Identifier: Apache-2.0
#include "cache/Reading.h"

#include <algorithm>
#include <memory>
#include <new>
#include <optional>

namespace forerun {

Announced PageCache::prefetch(CachedFile &file, std::uint64_t offset, std::uint64_t length,
                              Sequence sequence) {
  const MutexLock lock(mutex_, kSpinFirst);
  ByteRange range = file.upToEnd(ByteRange::of(offset, length));
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

  std::size_t absent = 0;
  for (std::uint64_t index = first; index < endPage; ++index)
    absent += table_.find(file, index) == nullptr &&
                      !isInHand(file, nullptr, index, geometry_.touched(range, index))
                  ? 1
                  : 0;
  const Sequence neededAt = sequence != 0 ? sequence : kUnannounced;
  if (!table_.mayAnnounce(endPage - first) ||
      !table_.makeRoom(absent, neededAt, file, first, endPage))
    return Announced::Full;

  file.stats.refusedBytes += refused;
  for (std::uint64_t index = first; index < endPage; ++index) {
    Page *page = table_.find(file, index);
    const SectorRange sectors = geometry_.touched(range, index);
    std::optional<Claim> claim;
    Others found;
    if (pool_ != nullptr && (page == nullptr || !page->firstAbsent(sectors).empty())) {
      claim.emplace(*pool_, file.key.page(index));
      found = others(file, page, index, sectors);
      if (sequence != 0)
        for (std::size_t holder = 0; holder < found.count; ++holder)
          table_.want(found.holders[holder], sequence);
      if (page == nullptr && found.sectors == SectorSet::maskOf(sectors, 0))
        continue;
      // Somebody had it a moment ago, so that there was no room to be made for it.
      if (page == nullptr && !table_.makeRoom(1, neededAt, file, first, endPage))
        continue;
    }
    if (page == nullptr)
      page = table_.add(file, index);
    if (page == nullptr)
      break; // no memory: what is left is not fetched ahead
    if (sequence != 0)
      table_.announce(*page, sequence);
    if (!fetches_.plan(file, *page, sectors,
                       {.kind = FetchKind::Prefetch,
                        .ahead = true,
                        .sequence = sequence,
                        .others = found.sectors}))
      break;
    PageTable::tellComing(*page);
  }
  fetches_.submitAhead(*engine_);
  return Announced::Accepted;
}

void PageCache::gather() {
  const MutexLock lock(mutex_, kSpinFirst);
  fetches_.setGathering(true);
}

void PageCache::flush() {
  {
    const MutexLock lock(mutex_, kSpinFirst);
    fetches_.setGathering(false);
  }
  engine_->flush();
}

void PageCache::retire(Sequence upTo) {
  const MutexLock lock(mutex_, kSpinFirst);
  table_.retire(upTo);
}

/// From an engine thread: the request is done, well or badly.
void PageCache::completed(FetchRequest &request) {
  const std::unique_ptr<Fetch> fetch = FetchBook::completed(request);
  CachedFile &file = *fetch->file;
  {
    const MutexLock lock(mutex_, kSpinFirst);
    request.rc = arrived(*fetch);
    hastenForOthers();
  }
  if (observer_)
    tell({&file, request.offset, request.bytes, request.queuedNs, request.issuedNs,
          request.finishedNs, request.kind, request.rc, request.inFlight});
  const MutexLock lock(mutex_, kSpinFirst);
  if (FetchBook::returned(file, fetch->turn))
    drained_.notify_all();
}

/// An observer without memory misses the event, and the engine's thread goes on.
void PageCache::tell(const FetchEvent &event) {
  try {
    observer_(event);
  } catch (const std::bad_alloc &) {
    return;
  }
}

/// Turns what the fetch brought into present sectors, or into nothing. Returns what became of it.
forerun_rc PageCache::arrived(Fetch &fetch) {
  Page &page = *fetch.page;
  const forerun_rc rc = FetchBook::judge(fetch);
  FetchBook::end(fetch, rc == FORERUN_OK ? takeBytes(fetch) : 0);
  PageTable::tellComing(page);
  wakeReaders(page);
  settle(page);
  return rc;
}

/// Makes present what the fetch brought and can be trusted; returns how many bytes that is.
std::uint64_t PageCache::takeBytes(Fetch &fetch) {
  CachedFile &file = *fetch.file;
  Page &page = *fetch.page;
  const FetchRequest &request = fetch.request;
  const ByteRange brought{request.offset, request.offset + request.bytes};
  const bool ended = request.bytes < request.length && fetch.changes == file.changes;
  if (ends_.show(file, brought.end, !brought.empty(), ended))
    wakeAllReaders();
  if (page.orphan) // the end that was known before cuts this very page
    return 0;
  SectorRange sectors = geometry_.inside(brought, page.index);
  if (file.end() == brought.end)
    sectors = geometry_.touched(brought, page.index);
  if (brought.empty() || sectors.empty())
    return 0;
  page.fetching.remove(sectors);
  page.present.add(sectors);
  if (fetch.ahead)
    page.ahead.add(sectors);
  page.fetchNs = std::max(page.fetchNs, request.finishedNs - request.issuedNs);
  table_.open(page);
  std::uint64_t kept = 0;
  for (unsigned sector = sectors.first; sector < sectors.last; ++sector)
    kept += table_.bytesIn(file, page.index, sector);
  return kept;
}

} // namespace forerun

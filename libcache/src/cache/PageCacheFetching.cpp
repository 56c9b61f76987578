// SPDX-License-Identifier: Apache-2.0
#include "cache/PageCache.h"

namespace forerun {

Announced PageCache::prefetch(CachedFile &file, std::uint64_t offset, std::uint64_t length,
                              Sequence sequence) {
  const Lock lock = hold();
  ByteRange range = file.upToEnd(ByteRange::of(offset, length));
  if (range.empty() || file.bypasses(range))
    return Announced::Accepted;
  const Geometry &geometry = table_.geometry();
  const std::uint64_t first = geometry.firstPage(range);
  std::uint64_t behind = geometry.behindPage(range);
  std::uint64_t refused = 0;
  if (behind - first > table_.frames()) {
    behind = first + table_.frames();
    refused = range.end - geometry.pageBegin(behind);
    range.end -= refused;
  }

  std::size_t absent = 0;
  for (std::uint64_t index = first; index < behind; ++index)
    absent += table_.find(file, index) == nullptr ? 1 : 0;
  const Sequence neededAt = sequence != 0 ? sequence : kUnannounced;
  if (!table_.mayAnnounce(behind - first) ||
      !table_.makeRoom(absent, neededAt, file, first, behind))
    return Announced::Full;

  file.stats.refusedBytes += refused;
  for (std::uint64_t index = first; index < behind; ++index) {
    Page *page = table_.find(file, index);
    if (page == nullptr)
      page = &table_.add(file, index);
    if (sequence != 0)
      table_.announce(*page, sequence);
    fetchGaps(file, *page, geometry.touched(range, index), FetchKind::Prefetch, true, sequence);
  }
  if (gathering_)
    engine_->queue(planned_);
  else
    engine_->submit(planned_);
  planned_.clear();
  return Announced::Accepted;
}

void PageCache::gather() {
  const Lock lock = hold();
  gathering_ = true;
}

void PageCache::flush() {
  {
    const Lock lock = hold();
    gathering_ = false;
  }
  engine_->flush();
}

void PageCache::retire(Sequence upTo) {
  const Lock lock = hold();
  table_.retire(upTo);
}

/// Plans a fetch of every run of \p sectors that is absent.
void PageCache::fetchGaps(CachedFile &file, Page &page, SectorRange sectors, FetchKind kind,
                          bool ahead, Sequence sequence) {
  const auto absent = [&page](unsigned sector) {
    return !page.present.has(sector) && !page.fetching.has(sector);
  };
  for (unsigned sector = sectors.first; sector < sectors.last;) {
    if (!absent(sector)) {
      ++sector;
      continue;
    }
    SectorRange run{sector, sector};
    while (run.last < sectors.last && absent(run.last))
      ++run.last;
    sector = run.last;

    auto *fetch = new Fetch;
    fetch->request.file = file.source;
    fetch->request.offset = table_.geometry().sectorBegin(page.index, run.first);
    fetch->request.length = std::size_t{run.last - run.first} * kSectorBytes;
    fetch->request.buffer = page.frame + std::size_t{run.first} * kSectorBytes;
    fetch->request.kind = kind;
    fetch->request.sequence = sequence;
    fetch->request.owner = fetch;
    fetch->file = &file;
    fetch->page = &page;
    fetch->sectors = run;
    fetch->ahead = ahead;
    fetch->changes = file.changes;
    fetch->next = page.fetches;
    page.fetches = fetch;
    page.fetching.add(run);
    ++file.inFlight;
    planned_.push_back(&fetch->request);
  }
}

/// The request that is planned, if it is only one, for who will not submit but read it.
FetchRequest *PageCache::takePlanned() {
  if (planned_.size() != 1)
    return nullptr;
  FetchRequest *only = planned_.front();
  planned_.clear();
  return only;
}

void PageCache::submitPlanned() {
  if (!planned_.empty())
    engine_->submit(planned_);
  planned_.clear();
}

/// Somebody waits for \p sectors: what is still queued of them becomes a demand fetch.
void PageCache::raise(Page &page, SectorRange sectors) {
  for (Fetch *fetch = page.fetches; fetch != nullptr; fetch = fetch->next)
    if (fetch->sectors.first < sectors.last && sectors.first < fetch->sectors.last)
      engine_->raise(fetch->request);
}

/// From an engine thread: the request is done, well or badly.
void PageCache::completed(FetchRequest &request) {
  const std::unique_ptr<Fetch> fetch(static_cast<Fetch *>(request.owner));
  CachedFile &file = *fetch->file;
  {
    const Lock lock = hold();
    request.rc = arrived(*fetch);
  }
  if (observer_)
    observer_({&file, request.offset, request.bytes, request.queuedNs, request.issuedNs,
               request.finishedNs, request.kind, request.rc, request.inFlight});
  const Lock lock = hold();
  if (--file.inFlight == 0)
    drained_.notify_all();
}

/// Turns what the fetch brought into present sectors, or into nothing. Returns what became of it.
forerun_rc PageCache::arrived(Fetch &fetch) {
  CacheStats &stats = fetch.file->stats;
  Page &page = *fetch.page;
  forerun_rc rc = fetch.request.rc;
  ++stats.fetches;
  if (rc == FORERUN_OK) {
    stats.fetchedBytes += fetch.request.bytes;
    if (page.orphan) {
      ++stats.staleFetches;
      rc = FORERUN_ERR_STALE;
    }
  } else {
    ++stats.failedFetches;
  }
  std::uint64_t kept = 0;
  if (rc == FORERUN_OK)
    kept = takeBytes(fetch);
  if (fetch.ahead && fetch.request.rc == FORERUN_OK)
    stats.uselessBytes += fetch.request.bytes - kept;
  unlink(fetch);
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
  showEnd(file, brought.end, !brought.empty(), ended);
  if (page.orphan) // the end that was known before cuts this very page
    return 0;
  SectorRange sectors = table_.geometry().inside(brought, page.index);
  if (file.end == brought.end)
    sectors = table_.geometry().touched(brought, page.index);
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

void PageCache::unlink(Fetch &fetch) {
  Page &page = *fetch.page;
  Fetch **link = &page.fetches;
  while (*link != &fetch)
    link = &(*link)->next;
  *link = fetch.next;
  page.fetching.remove(fetch.sectors);
}

} // namespace forerun

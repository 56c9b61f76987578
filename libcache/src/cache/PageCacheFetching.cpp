// SPDX-License-Identifier: Apache-2.0
#include "cache/Reading.h"
#include "pool/Claim.h"

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <vector>

namespace forerun {

namespace {

Sequence neededAt(Sequence announced) { return announced != 0 ? announced : kUnannounced; }

} // namespace

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

  if (!table_.mayAnnounce(endPage - first) || !makeRoomFor(file, range, sequence))
    return Announced::Full;
  file.stats.refusedBytes += refused;
  for (std::uint64_t index = first; index < endPage; ++index)
    if (!fetchAhead(file, index, range, sequence))
      break; // no memory: the rest is not fetched ahead
  fetches_.submitAhead(*engine_);
  return Announced::Accepted;
}

/// Makes frames available for the pages of \p range that nobody has a frame for.
bool PageCache::makeRoomFor(const CachedFile &file, ByteRange range, Sequence sequence) {
  const std::uint64_t first = geometry_.firstPage(range);
  const std::uint64_t endPage = geometry_.endPage(range);
  std::size_t absent = 0;
  for (std::uint64_t index = first; index < endPage; ++index)
    absent += table_.find(file, index) == nullptr && !isHosted(file, index) ? 1 : 0;
  return table_.makeRoom(absent, neededAt(sequence), file, first, endPage);
}

/// Announces the part of \p range in page \p index, and fetches what nobody has of it. False: there
/// was no memory.
bool PageCache::fetchAhead(CachedFile &file, std::uint64_t index, ByteRange range,
                           Sequence sequence) {
  Page *page = table_.find(file, index);
  const SectorRange sectors = geometry_.touched(range, index);
  Purpose purpose{.kind = FetchKind::Prefetch, .ahead = true, .sequence = sequence};
  std::optional<Claim> claim;
  if (pool_ != nullptr && (page == nullptr || !page->firstAbsent(sectors).empty())) {
    claim.emplace(*pool_, file.pageKey(index));
    if (leaveToOthers(file, index, page, sectors, purpose))
      return true;
    // Somebody had a frame for it a moment ago, so no room was made for it.
    if (page == nullptr && !table_.makeRoom(1, neededAt(sequence), file, geometry_.firstPage(range),
                                            geometry_.endPage(range)))
      return true;
  }
  if (page == nullptr)
    page = table_.add(file, index);
  if (page == nullptr)
    return false;
  if (sequence != 0)
    table_.announce(*page, sequence);
  const bool isPlanned = planIn(*page, file, sectors, purpose);
  PageTable::tellComing(*page);
  return isPlanned;
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

void PageCache::withdraw(Sequence first, Sequence last) {
  std::vector<FetchRequest *> back;
  {
    const MutexLock lock(mutex_, kSpinFirst);
    table_.withdraw(first, last,
                    [&](const Page &page) { FetchBook::takeBack(*engine_, page, back); });
  }
  for (FetchRequest *request : back) {
    request->rc = FORERUN_ERR_WITHDRAWN;
    completed(*request);
  }
}

/// From an engine thread, or for a request that was taken back: it is done, successfully or not.
void PageCache::completed(FetchRequest &request) {
  const std::unique_ptr<Fetch> fetch = FetchBook::completed(request);
  CachedFile &file = *fetch->file;
  {
    const MutexLock lock(mutex_, kSpinFirst);
    request.rc = arrived(*fetch);
    hastenForOthers();
  }
  if (observer_ && request.rc != FORERUN_ERR_WITHDRAWN)
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

/// Turns what the fetch brought into present sectors, or drops it. Returns the outcome.
forerun_rc PageCache::arrived(Fetch &fetch) {
  if (fetch.page == nullptr)
    return arrivedAsGuest(fetch);
  Page &page = *fetch.page;
  const forerun_rc rc = FetchBook::judge(fetch);
  FetchBook::end(fetch, rc == FORERUN_OK ? takeBytes(fetch) : 0);
  PageTable::tellComing(page);
  wakeReaders(page);
  settle(page);
  return rc;
}

/// What the fetch brought; notes what it shows about the end of the file.
ByteRange PageCache::showEnd(const Fetch &fetch) {
  const FetchRequest &request = fetch.request;
  const ByteRange brought{request.offset, request.offset + request.bytes};
  const bool ended = request.bytes < request.length && fetch.changes == fetch.file->changes;
  if (ends_.show(*fetch.file, brought.end, !brought.empty(), ended))
    wakeAllReaders();
  return brought;
}

/// Makes present what the fetch brought and can be trusted; returns how many bytes that is.
std::uint64_t PageCache::takeBytes(Fetch &fetch) {
  CachedFile &file = *fetch.file;
  Page &page = *fetch.page;
  const ByteRange brought = showEnd(fetch);
  if (page.orphan) // the end known before cuts this very page
    return 0;
  SectorRange sectors = geometry_.inside(brought, page.index);
  if (file.end() == brought.end)
    sectors = geometry_.touched(brought, page.index);
  if (brought.empty() || sectors.empty())
    return 0;
  FetchBook::applyCorrections(fetch);
  page.fetching.remove(sectors);
  page.present.add(sectors);
  if (fetch.ahead)
    page.ahead.add(sectors);
  const std::uint64_t tookNs = fetch.request.finishedNs - fetch.request.issuedNs;
  alone_.took(tookNs, fetch.request.inFlight);
  page.fetchNs = std::max(page.fetchNs, alone_.without(tookNs));
  table_.open(page);
  std::uint64_t kept = 0;
  for (unsigned sector = sectors.first; sector < sectors.last; ++sector)
    kept += table_.bytesIn(file, page.index, sector);
  return kept;
}

} // namespace forerun

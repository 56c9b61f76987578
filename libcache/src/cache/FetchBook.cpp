// SPDX-License-Identifier: Apache-2.0
#include "cache/FetchBook.h"

#include <new>

namespace forerun {

bool FetchBook::plan(CachedFile &file, Page &page, SectorRange sectors, Purpose purpose) try {
  while (!sectors.empty()) {
    const SectorRange run = page.firstAbsent(sectors, purpose.others);
    sectors.first = run.last;
    if (run.empty())
      continue;
    auto made = std::make_unique<Fetch>();
    Fetch *const fetch = made.get();
    planned_.push_back(&fetch->request);
    made.release(); // NOLINT: it is the engine's until it has completed
    fetch->request.file = file.source;
    fetch->request.offset = geometry_.sectorBegin(page.index, run.first);
    fetch->request.length = std::size_t{run.last - run.first} * kSectorBytes;
    fetch->request.buffer = page.frame + std::size_t{run.first} * kSectorBytes;
    fetch->request.kind = purpose.kind;
    fetch->request.sequence = purpose.sequence;
    fetch->request.owner = fetch;
    fetch->file = &file;
    fetch->page = &page;
    fetch->sectors = run;
    fetch->ahead = purpose.ahead;
    fetch->changes = file.changes;
    fetch->next = page.fetches;
    page.fetches = fetch;
    page.fetching.add(run);
    fetch->turn = file.turn;
    ++file.inFlight[file.turn];
  }
  return true;
} catch (const std::bad_alloc &) {
  return false;
}

void FetchBook::submit(FetchEngine &engine) {
  if (!planned_.empty())
    engine.submit(planned_);
  planned_.clear();
}

void FetchBook::submitAhead(FetchEngine &engine) {
  if (!gathering_)
    return submit(engine);
  engine.queue(planned_);
  planned_.clear();
}

FetchRequest *FetchBook::takeOnly() {
  if (planned_.size() != 1)
    return nullptr;
  FetchRequest *only = planned_.front();
  planned_.clear();
  return only;
}

void FetchBook::raise(FetchEngine &engine, const Page &page, SectorRange sectors) {
  for (Fetch *fetch = page.fetches; fetch != nullptr; fetch = fetch->next)
    if (fetch->sectors.first < sectors.last && sectors.first < fetch->sectors.last)
      engine.raise(fetch->request);
}

std::unique_ptr<Fetch> FetchBook::completed(FetchRequest &request) {
  return std::unique_ptr<Fetch>(static_cast<Fetch *>(request.owner));
}

forerun_rc FetchBook::judge(const Fetch &fetch) {
  CacheStats &stats = fetch.file->stats;
  ++stats.fetches;
  if (fetch.request.rc != FORERUN_OK) {
    ++stats.failedFetches;
    return fetch.request.rc;
  }
  stats.fetchedBytes += fetch.request.bytes;
  if (!fetch.page->orphan)
    return FORERUN_OK;
  ++stats.staleFetches;
  return FORERUN_ERR_STALE;
}

void FetchBook::end(Fetch &fetch, std::uint64_t kept) {
  if (fetch.ahead && fetch.request.rc == FORERUN_OK)
    fetch.file->stats.uselessBytes += fetch.request.bytes - kept;
  Page &page = *fetch.page;
  Fetch **link = &page.fetches;
  while (*link != &fetch)
    link = &(*link)->next;
  *link = fetch.next;
  page.fetching.remove(fetch.sectors);
}

} // namespace forerun

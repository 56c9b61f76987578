// SPDX-License-Identifier: Apache-2.0
#include "cache/FetchBook.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace forerun {

namespace {
/// More writes than this into what one fetch brings are not remembered.
constexpr std::size_t kMaxCorrections = 16;
} // namespace

bool FetchBook::plan(CachedFile &file, Page &page, SectorRange sectors, Purpose purpose) try {
  purpose.others |= page.take(page.absentBits(sectors) & ~purpose.others);
  while (!sectors.empty()) {
    const SectorRange run = page.firstAbsent(sectors, purpose.others);
    sectors.first = run.last;
    if (run.empty())
      continue;
    Fetch &fetch = make(file, page.index, page.frame, run, purpose);
    fetch.page = &page;
    fetch.next = page.fetches;
    page.fetches = &fetch;
    page.fetching.add(run);
  }
  page.tellComing();
  return true;
} catch (const std::bad_alloc &) {
  return false;
}

bool FetchBook::planAsGuest(CachedFile &file, std::uint64_t index, Slot host, std::byte *frame,
                            SectorRange run, Purpose purpose) try {
  Fetch *&first = guests_[host];
  Fetch &fetch = make(file, index, frame, run, purpose);
  fetch.host = host;
  fetch.next = first;
  first = &fetch;
  return true;
} catch (const std::bad_alloc &) {
  return false;
}

Fetch &FetchBook::make(CachedFile &file, std::uint64_t index, std::byte *frame, SectorRange run,
                       Purpose purpose) {
  auto made = std::make_unique<Fetch>();
  Fetch *const fetch = made.get();
  planned_.push_back(&fetch->request);
  made.release(); // NOLINT: it is the engine's until it has completed
  fetch->request.file = file.source;
  fetch->request.offset = geometry_.sectorBegin(index, run.first);
  fetch->request.length = std::size_t{run.last - run.first} * kSectorBytes;
  fetch->request.buffer = frame + std::size_t{run.first} * kSectorBytes;
  fetch->request.kind = purpose.kind;
  fetch->request.sequence = purpose.sequence;
  fetch->request.owner = fetch;
  fetch->request.peerPage = {index, file.peerNameOf(index)};
  fetch->file = &file;
  fetch->sectors = run;
  fetch->ahead = purpose.ahead;
  fetch->changes = file.changes;
  fetch->turn = file.turn;
  ++file.inFlight[file.turn];
  return *fetch;
}

void FetchBook::submit() {
  if (!planned_.empty())
    engine_->submit(planned_);
  planned_.clear();
}

void FetchBook::submitAhead() {
  if (!gathering_)
    return submit();
  engine_->queue(planned_);
  planned_.clear();
}

FetchRequest *FetchBook::takeOnly() {
  if (planned_.size() != 1)
    return nullptr;
  FetchRequest *only = planned_.front();
  planned_.clear();
  return only;
}

void FetchBook::raise(const Page &page, SectorRange sectors) const {
  for (Fetch *fetch = page.fetches; fetch != nullptr; fetch = fetch->next)
    if (fetch->sectors.first < sectors.last && sectors.first < fetch->sectors.last)
      engine_->raise(fetch->request);
}

void FetchBook::raiseGuests(Slot host) const {
  const auto found = guests_.find(host);
  for (Fetch *fetch = found == guests_.end() ? nullptr : found->second; fetch != nullptr;
       fetch = fetch->next)
    engine_->raise(fetch->request);
}

void FetchBook::takeBack(const Page &page, std::vector<FetchRequest *> &back) const {
  for (Fetch *fetch = page.fetches; fetch != nullptr; fetch = fetch->next) {
    back.reserve(back.size() + 1); // first, since only this can fail
    if (fetch->ahead && engine_->takeBack(fetch->request))
      back.push_back(&fetch->request);
  }
}

bool FetchBook::correct(const Page &page, ByteRange range, const std::byte *bytes) try {
  for (Fetch *fetch = page.fetches; fetch != nullptr; fetch = fetch->next) {
    const std::uint64_t begin = std::max(range.begin, fetch->request.offset);
    const std::uint64_t end = std::min(range.end, fetch->request.offset + fetch->request.length);
    if (begin >= end)
      continue;
    if (fetch->corrections.size() == kMaxCorrections)
      return false;
    const std::byte *const from = bytes + (begin - range.begin);
    fetch->corrections.push_back({begin, {from, from + (end - begin)}});
  }
  return true;
} catch (const std::bad_alloc &) {
  return false;
}

void FetchBook::applyCorrections(const Fetch &fetch) {
  const FetchRequest &request = fetch.request;
  for (const Fetch::Correction &each : fetch.corrections) {
    const std::uint64_t from = each.offset - request.offset;
    if (from < request.bytes)
      std::memcpy(static_cast<std::byte *>(request.buffer) + from, each.bytes.data(),
                  std::min<std::uint64_t>(each.bytes.size(), request.bytes - from));
  }
}

forerun_rc FetchBook::judge(const Fetch &fetch) {
  CacheStats &stats = fetch.file->stats;
  if (fetch.request.rc == FORERUN_ERR_WITHDRAWN)
    return fetch.request.rc;
  stats.fetches += fetch.request.peerBytes < fetch.request.length ? 1 : 0;
  stats.peerBytes += fetch.request.peerBytes;
  if (fetch.request.rc != FORERUN_OK) {
    ++stats.failedFetches;
    return fetch.request.rc;
  }
  stats.fetchedBytes +=
      fetch.request.bytes - std::min(fetch.request.peerBytes, fetch.request.bytes);
  if (fetch.page == nullptr || !fetch.page->orphan)
    return FORERUN_OK;
  ++stats.staleFetches;
  return FORERUN_ERR_STALE;
}

namespace {

void takeOut(const Fetch &fetch, Fetch *&first) {
  Fetch **link = &first;
  while (*link != &fetch)
    link = &(*link)->next;
  *link = fetch.next;
}

} // namespace

void FetchBook::countUseless(const Fetch &fetch, std::uint64_t kept) {
  if (fetch.ahead && fetch.request.rc == FORERUN_OK)
    fetch.file->stats.uselessBytes += fetch.request.bytes - kept;
}

void FetchBook::end(const Fetch &fetch, ByteRange brought) {
  countUseless(fetch, takeIn(fetch, brought));
  Page &page = *fetch.page;
  takeOut(fetch, page.fetches);
  page.fetching.remove(fetch.sectors);
  page.release(page.wordOf(fetch.sectors) & ~page.present.firstWord());
  page.tellComing();
}

/// Makes present what the fetch has brought and can be trusted; returns how many bytes that is.
std::uint64_t FetchBook::takeIn(const Fetch &fetch, ByteRange brought) {
  CachedFile &file = *fetch.file;
  Page &page = *fetch.page;
  SectorRange sectors = geometry_.inside(brought, page.index);
  if (file.end() == brought.end)
    sectors = geometry_.touched(brought, page.index);
  if (page.orphan || brought.empty() || sectors.empty()) // the end known before may cut this page
    return 0;
  applyCorrections(fetch);
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

void FetchBook::endGuest(const Fetch &fetch, std::uint64_t kept) {
  countUseless(fetch, kept);
  const auto found = guests_.find(fetch.host);
  takeOut(fetch, found->second);
  if (found->second == nullptr)
    guests_.erase(found);
}

} // namespace forerun

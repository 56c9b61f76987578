// SPDX-License-Identifier: Apache-2.0
#include "cache/PageCache.h"

#include <bit>
#include <cstring>
#include <new>

/// \file
/// A file that several nodes have opened together, only to read it, has a name among them. From the
/// call in which it gets it, which nobody leaves before all have come to it, its bytes are those that
/// everybody may be given, until this process changes them, or begins to trust nothing that is older
/// than now: then it asks nobody, and gives nothing, until the file is opened anew.

namespace forerun {

void PageCache::joinPeers(PeerEngine::Peers peers, const EngineFactory &factory, forerun_rc &rc) {
  PeerEngine::Lend lend = [this](const PeerPage &page, std::uint32_t /*epoch*/,
                                 SectorSet::Word sectors,
                                 std::byte *to) { return this->lend(page, sectors, to); };
  engine_ = PeerEngine::create(
      config_, std::move(peers), std::move(lend),
      [this](FetchRequest &request) { completed(request); },
      [&](Completed completed) { return factory(config_, std::move(completed), rc); });
  if (engine_ == nullptr && rc == FORERUN_OK)
    rc = FORERUN_ERR_MEMORY;
  hasPeers_ = true;
  const MutexLock lock(mutex_);
  table_.tellGone([this](const Page &page) {
    engine_->dropped({page.index, page.file->peerName}, page.present.firstWord());
  });
}

void PageCache::share(CachedFile &file, std::uint64_t name) try {
  const MutexLock lock(mutex_, kSpinFirst);
  if (!hasPeers_ || file.handles > 1 || file.peerName != 0 || file.bypasses({0, kOffsetLimit}) ||
      geometry_.sectorsPerPage() > PeerMessage::kSectors)
    return;
  shared_.emplace(name, &file);
  file.peerName = name;
} catch (const std::bad_alloc &) {
  return; // others are asked for nothing
}

void PageCache::unshare(CachedFile &file) {
  shared_.erase(file.peerName);
  file.peerName = 0;
}

/// Copies what is here of \p sectors, one behind the other; returns which. The sector that the end
/// of the file cuts is not given: its length would have to go with it.
SectorSet::Word PageCache::lend(const PeerPage &wanted, SectorSet::Word sectors, std::byte *to) {
  MutexLock lock(mutex_, kSpinFirst);
  const auto found = shared_.find(wanted.file);
  Page *const page = found == shared_.end() ? nullptr : table_.find(*found->second, wanted.index);
  if (page == nullptr)
    return 0;
  sectors &= page->present.firstWord() & table_.wholeSectors(*page);
  if (sectors == 0)
    return 0;
  table_.touch(*page);
  page->pin();
  CachedFile &file = *found->second;
  const unsigned turn = file.turn;
  ++file.inFlight[turn]; // it is not closed meanwhile
  lock.unlock();
  for (SectorSet::Word rest = sectors; rest != 0; rest &= rest - 1, to += kSectorBytes)
    std::memcpy(to, page->frame + static_cast<unsigned>(std::countr_zero(rest)) * kSectorBytes,
                kSectorBytes);
  letGo(*page);
  lock.lock();
  if (FetchBook::returned(file, turn))
    drained_.notify_all();
  return sectors;
}

} // namespace forerun

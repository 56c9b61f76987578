// SPDX-License-Identifier: Apache-2.0
#include "cache/PageCache.h"

#include <bit>
#include <cstring>
#include <new>

/// \file
/// A file that several nodes have opened together has a name among them. From the call in which it
/// gets the name, which nobody leaves before all have reached it, any process may be given its
/// bytes. For what this process may have written since, it asks nobody. Once it trusts nothing
/// older than now, it asks nobody, and gives nothing, until the file is opened anew.

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
  if (!hasPeers_ || file.handles > 1 || file.peerName != 0 || !file.pages.empty() ||
      file.bypasses({0, kOffsetLimit}) || geometry_.sectorsPerPage() > PeerMessage::kSectors)
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

/// Copies what is here of \p sectors, one after the other; returns which: from its own page and, in
/// a pool, from those of the node's other processes, into which it may have fetched as a guest. The
/// sector that the end of the file cuts is not given: its length would have to be sent, too.
SectorSet::Word PageCache::lend(const PeerPage &page, SectorSet::Word sectors, std::byte *to) {
  MutexLock lock(mutex_, kSpinFirst);
  const auto found = shared_.find(page.file);
  if (found == shared_.end())
    return 0;
  CachedFile &file = *found->second;
  Page *const own = table_.find(file, page.index);
  const SectorSet::Word mine =
      own == nullptr ? 0 : sectors & own->present.firstWord() & table_.wholeSectors(*own);
  const SectorSet::Word theirs =
      pool_ == nullptr ? 0 : pool_->find(wanted(file, page.index, sectors & ~mine)).open;
  if ((mine | theirs) == 0)
    return 0;
  if (own != nullptr) {
    table_.touch(*own);
    own->pin();
  }
  const unsigned turn = file.turn;
  ++file.inFlight[turn]; // it is not closed meanwhile
  lock.unlock();
  SectorSet::Word lent = 0;
  for (SectorSet::Word rest = mine | theirs; rest != 0; rest &= rest - 1) {
    const auto sector = static_cast<unsigned>(std::countr_zero(rest));
    const SectorSet::Word one = rest & -rest;
    if ((mine & one) != 0)
      std::memcpy(to, own->frame + sector * kSectorBytes, kSectorBytes);
    else if (!lendOthers(file, page.index, sector, to))
      continue;
    lent |= one;
    to += kSectorBytes;
  }
  if (own != nullptr)
    letGo(*own);
  lock.lock();
  if (FetchBook::returned(file, turn))
    drained_.notify_all();
  return lent;
}

/// A sector that another process of the node has. False: that process no longer has it.
bool PageCache::lendOthers(const CachedFile &file, std::uint64_t index, unsigned sector,
                           std::byte *to) const {
  const NodePool::Wanted one = wanted(file, index, SectorSet::Word{1} << sector);
  const NodePool::Found found = pool_->find(one);
  return found.open != 0 &&
         pool_->read(found.slot, one, std::size_t{sector} * kSectorBytes, to, kSectorBytes);
}

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#include "cache/PageCache.h"

#include "base/OnePath.h"
#include "base/SystemCache.h"
#include "forerun/Addresses.h"
#include "peers/LoadedPeers.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <new>
#include <utility>
#include <vector>

namespace forerun {

namespace {

/// For stacks and what malloc reserves for each thread.
constexpr std::size_t kAddressesOfThreads = std::size_t{256} << 20;

bool valid(const CacheConfig &config) {
  return std::has_single_bit(config.pageBytes) && config.pageBytes >= kSectorBytes &&
         config.capacityBytes >= config.pageBytes &&
         config.capacityBytes / config.pageBytes < std::numeric_limits<Slot>::max() / 2 &&
         config.inFlight > 0;
}

/// Each member is a count; those that are only for the whole cache are 0 in a file's.
CacheStats sum(const CacheStats &one, const CacheStats &other) {
  using Counts = std::array<std::uint64_t, sizeof(CacheStats) / sizeof(std::uint64_t)>;
  auto counts = std::bit_cast<Counts>(one);
  std::ranges::transform(counts, std::bit_cast<Counts>(other), counts.begin(), std::plus());
  return std::bit_cast<CacheStats>(counts);
}

} // namespace

std::unique_ptr<Cache> Cache::create(const CacheConfig &config, forerun_rc &rc) {
  return PageCache::create(config, FetchEngine::create, rc);
}

std::unique_ptr<Cache> Cache::create(const CacheConfig &config, forerun_rc &rc,
                                     std::unique_ptr<Pool> pool, Peers *peers) {
  PageCache::Shared shared;
  shared.pool.reset(static_cast<NodePool *>(pool.release())); // the only kind of Pool
  if (peers != nullptr)
    shared.peers = static_cast<LoadedPeers &>(*peers).peers();
  return PageCache::create(config, FetchEngine::create, rc, std::move(shared));
}

PageCache::PageCache(const CacheConfig &config, Shared shared)
    : config_(config), geometry_(config.pageBytes),
      sharing_(shared.pool != nullptr
                   ? makeNodeSharing(shared.peers.transport != nullptr, std::move(shared.pool),
                                     table_, fetches_)
                   : std::make_unique<Sharing>(shared.peers.transport != nullptr)),
      table_(config.capacityBytes, config.pageBytes, sharing_->pool()), coherence_(table_),
      fetches_(table_), planner_(table_, *sharing_, fetches_) {}

std::unique_ptr<PageCache> PageCache::create(const CacheConfig &config,
                                             const EngineFactory &factory, forerun_rc &rc,
                                             Shared shared) try {
  rc = FORERUN_ERR_ARGUMENT;
  if (!valid(config) ||
      (shared.pool != nullptr && shared.pool->shape().pageBytes != config.pageBytes))
    return nullptr;
  rc = FORERUN_ERR_MEMORY;
  if (addressesLeft() / 2 < config.capacityBytes + kAddressesOfThreads)
    return nullptr;
  PeerEngine::Peers peers = shared.peers;
  std::unique_ptr<PageCache> cache(new PageCache(config, std::move(shared)));
  if (!cache->tableWithoutMutex().valid())
    return nullptr;
  rc = FORERUN_OK;
  cache->startEngine(std::move(peers), factory, rc);
  return cache->engine_ ? std::move(cache) : nullptr;
} catch (const std::bad_alloc &) {
  rc = FORERUN_ERR_MEMORY;
  return nullptr;
}

/// The storage's engine, behind one that asks other nodes if there are any.
void PageCache::startEngine(PeerEngine::Peers peers, const EngineFactory &factory, forerun_rc &rc) {
  const auto done = [this](FetchRequest &request) { completed(request); };
  if (!sharing_->isAmongNodes()) {
    engine_ = factory(config_, done, rc);
  } else {
    const auto lend = [this](const PeerPage &page, std::uint32_t /*epoch*/, Sectors sectors,
                             std::byte *to) { return this->lend(page, sectors, to); };
    engine_ = PeerEngine::create(config_, std::move(peers), lend, done, [&](Completed completed) {
      return factory(config_, std::move(completed), rc);
    });
    if (engine_ == nullptr && rc == FORERUN_OK)
      rc = FORERUN_ERR_MEMORY;
  }
  if (engine_ == nullptr)
    return;
  const MutexLock lock(mutex_);
  fetches_.setEngine(*engine_);
  table_.tellGone([this](const Page &page) {
    engine_->dropped({page.index, page.file->peerName}, page.present.firstWord());
  });
}

// ---- files ----

CachedFile *PageCache::open(const FileSource &source, forerun_rc &rc) try {
  rc = FORERUN_OK;
  FileIdentity identity;
  if (!identify(source, identity, rc))
    return nullptr;
  MutexLock lock(mutex_, kSpinFirst);
  const auto known = files_.find(identity);
  if (known != files_.end()) {
    CachedFile &file = *known->second;
    if (file.fd >= 0 && !haveOnePath(file.fd, source.fd)) {
      rc = FORERUN_ERR_AMBIGUOUS;
      return nullptr;
    }
    file.descriptors.push_back(source.fd);
    ++file.handles;
    dropAll(file);
    return &file;
  }
  auto file = std::make_unique<CachedFile>();
  file->identity = std::move(identity);
  file->path = source.path;
  file->key = FileKey(file->identity, file->path);
  file->handles = 1;
  file->fd = source.fd;
  file->descriptors.push_back(source.fd);
  const auto entry = files_.emplace(file->identity, file.get()).first;
  file->source = engine_->openFile(source, rc);
  if (file->source != nullptr)
    return file.release();
  files_.erase(entry);
  return nullptr;
} catch (const std::bad_alloc &) {
  rc = FORERUN_ERR_MEMORY;
  return nullptr;
}

void PageCache::share(CachedFile &file, std::uint64_t name) try {
  const MutexLock lock(mutex_, kSpinFirst);
  if (!sharing_->isAmongNodes() || file.handles > 1 || file.peerName != 0 || !file.pages.empty() ||
      file.bypasses({0, kOffsetLimit}) || geometry_.sectorsPerPage() > PeerMessage::kSectors)
    return;
  sharing_->share(file, name);
} catch (const std::bad_alloc &) {
  return; // others are asked for nothing
}

void PageCache::close(CachedFile *file, int fd) {
  MutexLock lock(mutex_, kSpinFirst);
  dropAll(*file);
  if (file->handles > 1)
    giveUp(lock, *file, fd);
  if (--file->handles > 0)
    return;
  files_.erase(file->identity);
  engine_->flush();
  while (file->inFlight[0] + file->inFlight[1] > 0)
    lock.wait(drained_);
  closedStats_ = sum(closedStats_, file->allStats());
  lock.unlock();
  engine_->closeFile(file->source);
  delete file;
}

/// One of several handles is being closed, and \p fd with it: from now on the file is read through
/// another one.
void PageCache::giveUp(MutexLock &lock, CachedFile &file, int fd) {
  std::vector<int> &all = file.descriptors;
  const auto own = std::ranges::find(all, fd);
  if (fd < 0 || own == all.end())
    return;
  all.erase(own);
  if (file.fd != fd)
    return;
  // Without another one, all handles are being closed, and nothing is fetched any more.
  if (!all.empty()) {
    file.fd = all.front();
    file.source->useDescriptor(file.fd);
  }
  while (file.inFlight[1 - file.turn] > 0)
    lock.wait(drained_);
  const unsigned before = file.turn;
  file.turn = 1 - before;
  engine_->flush();
  while (file.inFlight[before] > 0)
    lock.wait(drained_);
}

CacheStats PageCache::stats(const CachedFile &file) const {
  const MutexLock lock(mutex_, kSpinFirst);
  return file.allStats();
}

CacheStats PageCache::stats() const {
  const MutexLock lock(mutex_, kSpinFirst);
  CacheStats all = closedStats_;
  for (const auto &[identity, file] : files_)
    all = sum(all, file->allStats());
  const FetchEngine::Said said = engine_->saidToPeers();
  all.peerMessages = said.messages;
  all.peerPackets = said.packets;
  all.peakBytes = table_.maxFramesUsed() * config_.pageBytes;
  if (table_.maxFramesUsed() > table_.frames())
    all.borrowedBytes = (table_.maxFramesUsed() - table_.frames()) * config_.pageBytes;
  return all;
}

/// An observer without memory misses the event, and the engine's thread goes on.
void PageCache::onFetch(std::function<void(const FetchEvent &)> observer) {
  observer_ = [observer = std::move(observer)](const FetchEvent &event) {
    try {
      observer(event);
    } catch (const std::bad_alloc &) {
      return;
    }
  };
}

bool PageCache::resident(const CachedFile &file, std::uint64_t offset, std::uint64_t length) const {
  const int fd = file.fd;
  return fd >= 0 && !config_.direct && inSystemCache(fd, offset, length);
}

// ---- announcements and what comes of them ----

Announced PageCache::prefetch(CachedFile &file, std::uint64_t offset, std::uint64_t length,
                              Sequence sequence) {
  const MutexLock lock(mutex_, kSpinFirst);
  return planner_.announce(file, ByteRange::of(offset, length), sequence);
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
    FetchBook *const fetches = &fetches_; // the analysis does not follow calls of a lambda
    table_.withdraw(first, last, [&](const Page &page) { fetches->takeBack(page, back); });
  }
  for (FetchRequest *request : back) {
    request->rc = FORERUN_ERR_WITHDRAWN;
    completed(*request);
  }
}

/// From an engine thread, or for a request that was taken back: it is done, successfully or not.
void PageCache::completed(FetchRequest &request) {
  const std::unique_ptr<Fetch> fetch(static_cast<Fetch *>(request.owner));
  CachedFile &file = *fetch->file;
  {
    const MutexLock lock(mutex_, kSpinFirst);
    request.rc = arrived(*fetch);
    sharing_->hasten();
  }
  if (observer_ && request.rc != FORERUN_ERR_WITHDRAWN)
    observer_({&file, request.offset, request.bytes, request.queuedNs, request.issuedNs,
               request.finishedNs, request.kind, request.rc, request.inFlight});
  const MutexLock lock(mutex_, kSpinFirst);
  returned(file, fetch->turn);
}

/// The completion of a fetch of \p file, or what is lent of it, made in \p turn, is over.
void PageCache::returned(CachedFile &file, unsigned turn) {
  if (--file.inFlight[turn] == 0)
    drained_.notify_all();
}

/// Turns what the fetch brought into present sectors, or drops it. Returns the outcome.
forerun_rc PageCache::arrived(Fetch &fetch) {
  const FetchRequest &request = fetch.request;
  const forerun_rc rc = FetchBook::judge(fetch);
  ByteRange brought{request.offset, request.offset};
  if (rc == FORERUN_OK) {
    brought.end += request.bytes;
    const bool ended = request.bytes < request.length && fetch.changes == fetch.file->changes;
    if (coherence_.showEnd(*fetch.file, brought.end, !brought.empty(), ended))
      wakeAllReaders();
  }
  if (fetch.page == nullptr) {
    sharing_->endGuest(fetch, brought);
    return rc;
  }
  Page &page = *fetch.page;
  fetches_.end(fetch, brought);
  wakeReaders(page);
  settle(page);
  return rc;
}

// ---- what outdates bytes, or renews them ----

void PageCache::invalidate(CachedFile &file, std::uint64_t offset, std::uint64_t length) {
  const ByteRange range = ByteRange::of(offset, length);
  if (range.empty())
    return;
  const MutexLock lock(mutex_, kSpinFirst);
  outdate(file, range);
}

void PageCache::setVolatile(CachedFile &file, Writer writer, std::uint64_t offset,
                            std::uint64_t length) {
  const ByteRange range = ByteRange::of(offset, length);
  if (range.empty())
    return;
  const MutexLock lock(mutex_, kSpinFirst);
  outdate(file, range);
  file.addVolatile(writer, range);
}

void PageCache::newEpoch(CachedFile &file, Writer ended) {
  const MutexLock lock(mutex_, kSpinFirst);
  dropAll(file);
  file.endVolatile(ended);
}

void PageCache::setAtomic(CachedFile &file, bool atomic) {
  const MutexLock lock(mutex_, kSpinFirst);
  dropAll(file);
  file.setAtomic(atomic);
}

/// Nothing that was requested from the file system so far is trusted any more.
void PageCache::dropAll(CachedFile &file) {
  sharing_->unshare(file);
  coherence_.beginEpoch(file);
  wakeAllReaders();
}

void PageCache::outdate(CachedFile &file, ByteRange range) {
  coherence_.outdate(file, range);
  wakeAllReaders();
}

/// Page by page, so that no thread waits long for the mutex.
void PageCache::update(CachedFile &file, std::uint64_t offset, const void *bytes,
                       std::size_t length) {
  const ByteRange range = ByteRange::of(offset, length);
  if (range.empty())
    return;
  {
    const MutexLock lock(mutex_, kSpinFirst);
    if (file.bypasses(range)) // another write of these bytes may be under way
      return outdate(file, range);
    coherence_.noteChange(file, range);
    wakeAllReaders();
  }
  const std::uint64_t endPage = geometry_.endPage(range);
  for (std::uint64_t index = geometry_.firstPage(range); index < endPage; ++index) {
    const MutexLock lock(mutex_, kSpinFirst);
    Page *const page = table_.find(file, index);
    if (page == nullptr)
      continue;
    if (!FetchBook::correct(*page, range, static_cast<const std::byte *>(bytes)))
      table_.drop(*page);
    else
      table_.overwrite(*page, range, static_cast<const std::byte *>(bytes));
    wakeReaders(*page);
  }
}

void PageCache::settle(Page &page) {
  table_.settle(page);
  frameIdle_.notify_all();
}

void PageCache::wakeReaders(const Page &page) {
  arrivedIn(page).notify_all();
  sharing_->tellWaiters(page);
}

void PageCache::wakeAllReaders() {
  for (auto &arrived : arrived_)
    arrived.notify_all();
}

} // namespace forerun

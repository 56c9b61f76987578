// SPDX-License-Identifier: Apache-2.0
#include "cache/PageCache.h"

#include "base/OnePath.h"
#include "base/SystemCache.h"
#include "forerun/Addresses.h"
#include "forerun/Clock.h"
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

void add(CacheStats &sum, const CacheStats &more) {
  sum.hits += more.hits;
  sum.late += more.late;
  sum.misses += more.misses;
  sum.hitBytes += more.hitBytes;
  sum.lateBytes += more.lateBytes;
  sum.missBytes += more.missBytes;
  sum.fetches += more.fetches;
  sum.fetchedBytes += more.fetchedBytes;
  sum.failedFetches += more.failedFetches;
  sum.usefulBytes += more.usefulBytes;
  sum.uselessBytes += more.uselessBytes;
  sum.staleFetches += more.staleFetches;
  sum.refusedBytes += more.refusedBytes;
  sum.elsewhereHits += more.elsewhereHits;
  sum.elsewhereBytes += more.elsewhereBytes;
  sum.savedBytes += more.savedBytes;
  sum.peerBytes += more.peerBytes;
  sum.evictions += more.evictions;
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

PageCache::PageCache(const CacheConfig &config, std::unique_ptr<NodePool> pool)
    : config_(config), geometry_(config.pageBytes), pool_(std::move(pool)),
      table_(config.capacityBytes, config.pageBytes, pool_.get()), ends_(table_),
      fetches_(geometry_) {}

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
  std::unique_ptr<PageCache> cache(new PageCache(config, std::move(shared.pool)));
  if (!cache->tableWithoutMutex().valid())
    return nullptr;
  rc = FORERUN_OK;
  PageCache &self = *cache;
  if (shared.peers.transport != nullptr)
    self.joinPeers(std::move(shared.peers), factory, rc);
  else
    self.engine_ = factory(config, [&self](FetchRequest &request) { self.completed(request); }, rc);
  return cache->engine_ ? std::move(cache) : nullptr;
} catch (const std::bad_alloc &) {
  rc = FORERUN_ERR_MEMORY;
  return nullptr;
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
  add(closedStats_, file->allStats());
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
  CacheStats sum = closedStats_;
  for (const auto &[identity, file] : files_)
    add(sum, file->allStats());
  const FetchEngine::Said said = engine_->saidToPeers();
  sum.peerMessages = said.messages;
  sum.peerPackets = said.packets;
  sum.peakBytes = table_.maxFramesUsed() * config_.pageBytes;
  if (table_.maxFramesUsed() > table_.frames())
    sum.borrowedBytes = (table_.maxFramesUsed() - table_.frames()) * config_.pageBytes;
  return sum;
}

void PageCache::onFetch(std::function<void(const FetchEvent &)> observer) {
  observer_ = std::move(observer);
}

bool PageCache::resident(const CachedFile &file, std::uint64_t offset, std::uint64_t length) const {
  const int fd = file.fd;
  return fd >= 0 && !config_.direct && inSystemCache(fd, offset, length);
}

void PageCache::settle(Page &page) {
  table_.settle(page);
  frameIdle_.notify_all();
}

void PageCache::wakeAllReaders() {
  for (auto &arrived : arrived_)
    arrived.notify_all();
}

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#include "cache/PageCache.h"

#include <bit>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <unistd.h>

namespace forerun {

namespace {

bool valid(const CacheConfig &config) {
  return std::has_single_bit(config.pageBytes) && config.pageBytes >= kSectorBytes &&
         config.capacityBytes >= config.pageBytes &&
         config.capacityBytes / config.pageBytes < std::numeric_limits<Slot>::max() / 2 &&
         config.inFlight > 0;
}

/// False, with \p rc set, if the source is no regular file.
bool identify(const FileSource &source, FileIdentity &identity, forerun_rc &rc) {
  if (source.fd < 0) {
    identity = {source.fileSystemId, source.fileId, source.fileSystem};
    return true;
  }
  struct stat status{};
  rc = fstat(source.fd, &status) != 0 ? FORERUN_ERR_ARGUMENT
       : !S_ISREG(status.st_mode)     ? FORERUN_ERR_UNSUPPORTED
                                      : FORERUN_OK;
  identity = {.device = status.st_dev, .inode = status.st_ino, .fileSystem = {}};
  return rc == FORERUN_OK;
}

/// Tells the processor that the thread is in a short wait.
void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
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
}

} // namespace

std::unique_ptr<Cache> Cache::create(const CacheConfig &config, forerun_rc &rc) {
  return PageCache::create(config, FetchEngine::create, rc);
}

PageCache::PageCache(const CacheConfig &config)
    : config_(config), table_(config.capacityBytes, config.pageBytes) {}

std::unique_ptr<PageCache> PageCache::create(const CacheConfig &config,
                                             const EngineFactory &factory, forerun_rc &rc) {
  rc = FORERUN_ERR_ARGUMENT;
  if (!valid(config))
    return nullptr;
  rc = FORERUN_ERR_MEMORY;
  std::unique_ptr<PageCache> cache(new (std::nothrow) PageCache(config));
  if (!cache || !cache->table_.valid())
    return nullptr;
  rc = FORERUN_OK;
  PageCache &self = *cache;
  cache->engine_ = factory(config, [&self](FetchRequest &request) { self.completed(request); }, rc);
  return cache->engine_ ? std::move(cache) : nullptr;
}

// ---- files ----

CachedFile *PageCache::open(const FileSource &source, forerun_rc &rc) {
  rc = FORERUN_OK;
  FileIdentity identity;
  if (!identify(source, identity, rc))
    return nullptr;
  Lock lock = hold();
  const auto known = files_.find(identity);
  if (known != files_.end()) {
    CachedFile &file = *known->second;
    ++file.handles;
    dropAll(file);
    return &file;
  }
  auto file = std::make_unique<CachedFile>();
  file->identity = std::move(identity);
  file->path = source.path;
  file->handles = 1;
  if (!openSource(*file, source, rc))
    return nullptr;
  files_.emplace(file->identity, file.get());
  return file.release();
}

bool PageCache::openSource(CachedFile &file, const FileSource &source, forerun_rc &rc) {
  FileSource own = source;
  if (source.fd >= 0) {
    file.fd = fcntl(source.fd, F_DUPFD_CLOEXEC, 0);
    own.fd = file.fd;
    rc = file.fd < 0 ? FORERUN_ERR_IO : FORERUN_OK;
  }
  if (rc == FORERUN_OK)
    file.source = engine_->openFile(own, rc);
  if (file.source != nullptr)
    return true;
  if (file.fd >= 0)
    ::close(file.fd);
  return false;
}

void PageCache::close(CachedFile *file) {
  Lock lock = hold();
  dropAll(*file);
  if (--file->handles > 0)
    return;
  files_.erase(file->identity);
  engine_->flush();
  drained_.wait(lock, [file] { return file->inFlight == 0; });
  add(closedStats_, file->allStats());
  lock.unlock();
  engine_->closeFile(file->source);
  if (file->fd >= 0)
    ::close(file->fd);
  delete file;
}

CacheStats PageCache::stats(const CachedFile &file) const {
  const Lock lock = hold();
  return file.allStats();
}

CacheStats PageCache::stats() const {
  const Lock lock = hold();
  CacheStats sum = closedStats_;
  for (const auto &[identity, file] : files_)
    add(sum, file->allStats());
  sum.peakBytes = table_.mostFramesUsed() * config_.pageBytes;
  return sum;
}

void PageCache::onFetch(std::function<void(const FetchEvent &)> observer) {
  observer_ = std::move(observer);
}

// ---- what outdates bytes ----

void PageCache::invalidate(CachedFile &file, std::uint64_t offset, std::uint64_t length) {
  const ByteRange range = ByteRange::of(offset, length);
  if (range.empty())
    return;
  const Lock lock = hold();
  outdate(file, range);
}

void PageCache::setVolatile(CachedFile &file, std::uint64_t offset, std::uint64_t length) {
  const ByteRange range = ByteRange::of(offset, length);
  if (range.empty())
    return;
  const Lock lock = hold();
  outdate(file, range);
  file.volatileBytes.add(range);
  file.updatePlainEnd();
}

void PageCache::newEpoch(CachedFile &file) {
  const Lock lock = hold();
  dropAll(file);
  file.volatileBytes.clear();
  file.updatePlainEnd();
}

void PageCache::setAtomic(CachedFile &file, bool atomic) {
  const Lock lock = hold();
  dropAll(file);
  file.atomic = atomic;
  file.updatePlainEnd();
}

/// Nothing that was asked of the file system so far is trusted any more.
void PageCache::dropAll(CachedFile &file) {
  ++file.changes;
  while (!file.pages.empty())
    table_.drop(*file.pages.begin()->second);
  file.end = CachedFile::kUnknownEnd;
  file.updatePlainEnd();
  wakeAllReaders();
}

/// \p range (not empty) has been or is being written.
void PageCache::outdate(CachedFile &file, ByteRange range) {
  ++file.changes;
  if (range.end > file.end)
    forgetEnd(file);
  const Geometry &geometry = table_.geometry();
  const std::uint64_t first = geometry.firstPage(range);
  const std::uint64_t behind = geometry.behindPage(range);
  std::vector<Page *> hit;
  if (behind - first <= file.pages.size()) {
    for (std::uint64_t index = first; index < behind; ++index)
      if (Page *page = table_.find(file, index))
        hit.push_back(page);
  } else {
    for (const auto &[index, page] : file.pages)
      if (index >= first && index < behind)
        hit.push_back(page);
  }
  for (Page *page : hit)
    table_.outdate(*page, geometry.touched(range, page->index));
  wakeAllReaders();
}

/// The file may have grown: the sector that the known end cuts is valid no further, so it goes.
void PageCache::forgetEnd(CachedFile &file) {
  if (file.end % kSectorBytes != 0) {
    const ByteRange last{file.end - 1, file.end};
    const std::uint64_t index = table_.geometry().pageOf(last.begin);
    if (Page *page = table_.find(file, index))
      table_.outdate(*page, table_.geometry().touched(last, index));
    wakeAllReaders();
  }
  file.end = CachedFile::kUnknownEnd;
  file.updatePlainEnd();
}

/// Trusted bytes reach up to \p shownEnd (\p bytesBefore: there were any), and the file \p ended
/// there. What was known before and says otherwise is forgotten.
void PageCache::showEnd(CachedFile &file, std::uint64_t shownEnd, bool bytesBefore, bool ended) {
  if (bytesBefore && shownEnd > file.end)
    forgetEnd(file);
  if (!ended || shownEnd >= file.end)
    return;
  forgetEnd(file);
  if (!file.volatileBytes.reachesBeyond(shownEnd))
    file.end = shownEnd;
  file.updatePlainEnd();
}

PageCache::Lock PageCache::hold() const {
  constexpr int kTries = 64;
  for (int tries = 0; tries < kTries; ++tries) {
    if (mutex_.try_lock())
      return {mutex_, std::adopt_lock};
    relax();
  }
  return Lock(mutex_);
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

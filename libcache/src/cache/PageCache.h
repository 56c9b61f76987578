// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/Coherence.h"
#include "cache/PagePlanner.h"
#include "fetch/FetchEngine.h"
#include "forerun/Cache.h"
#include "forerun/Mutex.h"
#include "peers/PeerEngine.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>

/// \file
/// The Cache of one process.
///
///     prefetch --.                                 .--> Fetch --> FetchEngine --> completed
///     read     --+--> PageTable: frames, policy ---+                                  |
///     fill     --'                                 '<------- present, or outdated ----'
///
/// One mutex guards all state, including that of the pages and files (Clang cannot check what is
/// reached through pointers); it is held only for look-ups and book-keeping. A thread that copies
/// bytes or waits first pins the pages and releases the mutex.
///
/// The engine is called with the mutex held: `queue`, `submit` and `raise` neither wait for storage
/// nor call back. They take a lock of their own, and the latter two may wake an engine thread: a
/// system call (a write to io_uring's eventfd, a semaphore), or the start of a thread. Completions
/// come without an engine lock.
///
/// A read of one page that changes only counts and the order of replacement needs no mutex (`hit`),
/// so that hits scale with the cores: Page.h says how it meets threads that change the page.
///
/// What other processes have, on its node and on others, it asks its Sharing. Pages of a file that is
/// shared with other nodes are first requested from these, by the engine, and lent to them.
///
/// What keeps stale bytes out:
///  - Outdating a page that somebody is using or fetching makes it an orphan: nobody finds it any
///    more, a thread that waits for it gets a Miss, what arrives in it is dropped. So a present
///    sector never changes under a reader, and a fetch made before a write never becomes trusted,
///    unless the bytes written are known: then they replace what it brings (Fetch::corrections).
///  - A short fetch shows the end of the file only if nothing has changed the file since the fetch
///    was made (CachedFile::changes); a fill is taken only under the same condition. The other
///    rules of the end are Coherence's.

namespace forerun {

class PageCache final : public Cache {
public:
  using EngineFactory =
      std::function<std::unique_ptr<FetchEngine>(const CacheConfig &, Completed, forerun_rc &)>;

  /// What others share with this process: on its node, and on other nodes; either may be absent.
  struct Shared {
    std::unique_ptr<NodePool> pool{};
    PeerEngine::Peers peers{};
  };
  static std::unique_ptr<PageCache> create(const CacheConfig &config, const EngineFactory &factory,
                                           forerun_rc &rc, Shared shared);
  static std::unique_ptr<PageCache> create(const CacheConfig &config, const EngineFactory &factory,
                                           forerun_rc &rc) {
    return create(config, factory, rc, Shared());
  }
  ~PageCache() override = default;
  PageCache(const PageCache &) = delete;
  PageCache &operator=(const PageCache &) = delete;

  CachedFile *open(const FileSource &source, forerun_rc &rc) override;
  void share(CachedFile &file, std::uint64_t name) override;
  void close(CachedFile *file, int fd = -1) override;

  Announced prefetch(CachedFile &file, std::uint64_t offset, std::uint64_t length,
                     Sequence sequence) override;
  void gather() override;
  void flush() override;
  void retire(Sequence upTo) override;
  void withdraw(Sequence first, Sequence last) override;

  ReadResult read(CachedFile &file, void *buffer, std::uint64_t offset,
                  std::size_t length) override;
  ReadResult readOrFetch(CachedFile &file, void *buffer, std::uint64_t offset,
                         std::size_t length) override;
  ReadResult readThrough(CachedFile &file, void *buffer, std::uint64_t offset, std::size_t length,
                         Sequence sequence) override;
  bool covered(CachedFile &file, std::uint64_t offset, std::uint64_t length) override;
  bool resident(const CachedFile &file, std::uint64_t offset, std::uint64_t length) const override;

  std::uint64_t ticket(CachedFile &file) override;
  void fill(CachedFile &file, std::uint64_t ticket, const void *bytes, std::uint64_t offset,
            std::size_t length, bool endOfFile) override;

  void invalidate(CachedFile &file, std::uint64_t offset, std::uint64_t length) override;
  void update(CachedFile &file, std::uint64_t offset, const void *bytes,
              std::size_t length) override;
  void setVolatile(CachedFile &file, Writer writer, std::uint64_t offset,
                   std::uint64_t length) override;
  void newEpoch(CachedFile &file, Writer ended) override;
  void setAtomic(CachedFile &file, bool atomic) override;

  CacheStats stats(const CachedFile &file) const override;
  CacheStats stats() const override;
  const CacheConfig &config() const override { return config_; }
  const char *engineName() const override { return engine_->name(); }
  void endFetching() override { engine_->stop(); }
  const std::string &path(const CachedFile &file) const override { return file.path; }

  void onFetch(std::function<void(const FetchEvent &)> observer) override;

private:
  PageCache(const CacheConfig &config, Shared shared);

  // ---- PageCache.cpp ----
  void startEngine(PeerEngine::Peers peers, const EngineFactory &factory, forerun_rc &rc);
  void giveUp(MutexLock &lock, CachedFile &file, int fd) FORERUN_REQUIRES(mutex_);
  void returned(CachedFile &file, unsigned turn) FORERUN_REQUIRES(mutex_);
  void completed(FetchRequest &request);
  forerun_rc arrived(Fetch &fetch) FORERUN_REQUIRES(mutex_);
  void dropAll(CachedFile &file) FORERUN_REQUIRES(mutex_);
  void outdate(CachedFile &file, ByteRange range) FORERUN_REQUIRES(mutex_);

  // ---- PageCacheReading.cpp: reads, fills, what is lent to other nodes ----
  bool hit(CachedFile &file, void *buffer, ByteRange range) FORERUN_EXCLUDES(mutex_);
  bool copyIfOpen(Page &page, CachedFile &file, void *buffer, ByteRange range);
  void letGo(Page &page) FORERUN_EXCLUDES(mutex_);
  ReadResult readForProgram(CachedFile &file, void *buffer, std::uint64_t offset,
                            std::size_t length, bool fetches) FORERUN_EXCLUDES(mutex_);
  ReadResult serve(Reading &reading) FORERUN_EXCLUDES(mutex_);
  void pin(Chunk &chunk, Sequence sequence) FORERUN_REQUIRES(mutex_);
  bool arrive(MutexLock &lock, Chunk &chunk, Reading &reading) FORERUN_REQUIRES(mutex_);
  void countRead(Chunk &chunk, Reading &reading, std::uint64_t waitedNs) FORERUN_REQUIRES(mutex_);
  bool copyAndRelease(Chunk &chunk, std::byte *to) FORERUN_EXCLUDES(mutex_);

  Sectors lend(const PeerPage &page, Sectors sectors, std::byte *to) FORERUN_EXCLUDES(mutex_);

  /// Only for what PageTable offers without the mutex.
  PageTable &tableWithoutMutex() FORERUN_NO_THREAD_SAFETY_ANALYSIS { return table_; }
  void settle(Page &page) FORERUN_REQUIRES(mutex_);
  void wakeReaders(const Page &page);
  void wakeAllReaders();
  std::condition_variable &arrivedIn(const Page &page) {
    return arrived_[page.slot % arrived_.size()];
  }

  const CacheConfig config_;
  const Geometry geometry_;
  std::function<void(const FetchEvent &)> observer_; ///< constant once a file is open

  const std::unique_ptr<Sharing> sharing_; ///< says itself what needs the mutex
  mutable Mutex mutex_;                    ///< taken with kSpinFirst
  PageTable table_ FORERUN_GUARDED_BY(mutex_);
  Coherence coherence_ FORERUN_GUARDED_BY(mutex_);
  FetchBook fetches_ FORERUN_GUARDED_BY(mutex_);
  PagePlanner planner_ FORERUN_GUARDED_BY(mutex_);
  /// Open files; not those being closed for the last time.
  std::map<FileIdentity, CachedFile *> files_ FORERUN_GUARDED_BY(mutex_);
  CacheStats closedStats_ FORERUN_GUARDED_BY(mutex_); ///< of files that are no longer open

  /// A sector of a page has arrived, or the page has become an orphan. Each serves several pages.
  std::array<std::condition_variable, 16> arrived_;
  std::condition_variable frameIdle_; ///< a page has become idle
  /// Reads in progress that may have to wait for an idle page: then unpinning notifies.
  std::atomic<unsigned> frameSeekers_{0};
  std::condition_variable drained_; ///< a file has no fetch in flight any more

  std::unique_ptr<FetchEngine> engine_; ///< last: ends before what its completions use
};

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PAGECACHE_H
#define FORERUN_PAGECACHE_H

#include "fetch/FetchEngine.h"
#include "forerun/Cache.h"
#include "pages/CachedFile.h"
#include "pages/PageTable.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

/// \file
/// The Cache of one process.
///
///     prefetch --.                                 .--> Fetch --> FetchEngine --> completed
///     read     --+--> PageTable: frames, policy ---+                                  |
///     fill     --'                                 '<------- present, or outdated ----'
///
/// One mutex guards all state; it is held for look-ups and book-keeping only. Who copies bytes or
/// waits pins the pages first and lets go of the mutex. The engine is called with the mutex held:
/// `submit` and `raise` only queue, and completions come without an engine lock.
///
/// A read of one page that changes nothing but counts and the order of replacement does without the
/// mutex (`hit`), so that hits scale with the cores: Page.h says how it meets who changes the page.
///
/// What keeps stale bytes out:
///  - Outdating a page that somebody is using or fetching makes it an orphan: nobody finds it any
///    more, who waits for it gets a Miss, what arrives in it is dropped. So a present sector never
///    changes under a reader, and a fetch that was made before a write never becomes trusted.
///  - A fetch that comes short shows the end of the file only if nothing has changed the file since
///    the fetch was made (CachedFile::changes); a fill is taken only under the same condition.

namespace forerun {

class PageCache final : public Cache {
public:
  using EngineFactory = std::function<std::unique_ptr<FetchEngine>(
      const CacheConfig &, Completed, forerun_rc &)>;

  static std::unique_ptr<PageCache> create(const CacheConfig &config, const EngineFactory &factory,
                                           forerun_rc &rc);
  ~PageCache() override = default;
  PageCache(const PageCache &) = delete;
  PageCache &operator=(const PageCache &) = delete;

  CachedFile *open(const FileSource &source, forerun_rc &rc) override;
  void close(CachedFile *file) override;

  Announced prefetch(CachedFile &file, std::uint64_t offset, std::uint64_t length,
                     Sequence sequence) override;
  void gather() override;
  void flush() override;
  void retire(Sequence upTo) override;

  ReadResult read(CachedFile &file, void *buffer, std::uint64_t offset,
                  std::size_t length) override;
  ReadResult readThrough(CachedFile &file, void *buffer, std::uint64_t offset, std::size_t length,
                         Sequence sequence) override;
  bool covered(CachedFile &file, std::uint64_t offset, std::uint64_t length) override;
  bool resident(const CachedFile &file, std::uint64_t offset, std::uint64_t length) const override;

  std::uint64_t ticket(CachedFile &file) override;
  void fill(CachedFile &file, std::uint64_t ticket, const void *bytes, std::uint64_t offset,
            std::size_t length, bool endOfFile) override;

  void invalidate(CachedFile &file, std::uint64_t offset, std::uint64_t length) override;
  void setVolatile(CachedFile &file, std::uint64_t offset, std::uint64_t length) override;
  void newEpoch(CachedFile &file) override;
  void setAtomic(CachedFile &file, bool atomic) override;

  CacheStats stats(const CachedFile &file) const override;
  CacheStats stats() const override;
  const CacheConfig &config() const override { return config_; }
  const char *engineName() const override { return engine_->name(); }
  const std::string &path(const CachedFile &file) const override { return file.path; }

  void onFetch(std::function<void(const FetchEvent &)> observer) override;

private:
  using Lock = std::unique_lock<std::mutex>;
  struct Piece;
  struct Chunk;
  struct Reading;
  enum class Served { Not, More, Last };

  explicit PageCache(const CacheConfig &config);

  // ---- PageCache.cpp: files and what outdates their bytes ----
  bool openSource(CachedFile &file, const FileSource &source, forerun_rc &rc);
  void dropAll(CachedFile &file);
  void outdate(CachedFile &file, ByteRange range);
  void forgetEnd(CachedFile &file);
  void showEnd(CachedFile &file, std::uint64_t shownEnd, bool bytesBefore, bool ended);

  // ---- PageCacheFetching.cpp: from a gap to present sectors ----
  void fetchGaps(CachedFile &file, Page &page, SectorRange sectors, FetchKind kind, bool ahead,
                 Sequence sequence);
  void submitPlanned();
  FetchRequest *takePlanned();
  void raise(Page &page, SectorRange sectors);
  void completed(FetchRequest &request);
  forerun_rc arrived(Fetch &fetch);
  std::uint64_t takeBytes(Fetch &fetch);
  void unlink(Fetch &fetch);

  // ---- PageCacheReading.cpp, PageCacheFilling.cpp ----
  bool hit(CachedFile &file, void *buffer, ByteRange range);
  bool copyIfOpen(Page &page, CachedFile &file, void *buffer, ByteRange range);
  void letGo(Page &page);
  ReadResult serve(Lock &lock, Reading &reading);
  Served serveChunk(Lock &lock, Chunk &chunk, Reading &reading);
  bool collect(ByteRange range, Chunk &chunk) const;
  bool acquire(Chunk &chunk, Reading &reading);
  bool anythingIn(const CachedFile &file, ByteRange range) const;
  std::uint64_t await(Lock &lock, Chunk &chunk);
  bool trim(Chunk &chunk) const;
  void countRead(Chunk &chunk, Reading &reading, std::uint64_t waitedNs);
  void release(Chunk &chunk);
  std::uint64_t reserve(ByteRange range, Chunk &chunk);
  static SectorRange firstAbsent(const Page &page, SectorRange sectors);
  void publish(Chunk &chunk);

  /// Takes the mutex. It is held for less time than it takes to fall asleep, so that it is worth
  /// trying a few times first.
  Lock hold() const;
  void settle(Page &page);
  void wakeReaders(const Page &page) { arrivedIn(page).notify_all(); }
  void wakeAllReaders();
  std::condition_variable &arrivedIn(const Page &page) {
    return arrived_[page.slot % arrived_.size()];
  }

  const CacheConfig config_;
  std::function<void(const FetchEvent &)> observer_; ///< constant once a file is open

  mutable std::mutex mutex_; // guards all below, and all that is reached from there
  PageTable table_;
  std::map<FileIdentity, CachedFile *> files_; ///< open; not those being closed for the last time
  CacheStats closedStats_;                     ///< of files that are no longer open
  std::vector<FetchRequest *> planned_;        ///< made, and submitted before the mutex is released
  bool gathering_ = false; ///< prefetches are only queued; who waits for a fetch flushes first

  /// A sector of a page has arrived, or the page has become an orphan. One for several pages.
  std::array<std::condition_variable, 16> arrived_;
  std::condition_variable frameIdle_; ///< a page has become idle
  /// Reads under way that may have to wait for an idle page: unpinning then notifies.
  std::atomic<unsigned> frameSeekers_{0};
  std::condition_variable drained_; ///< a file has no fetch under way any more

  std::unique_ptr<FetchEngine> engine_; ///< last: ends before what its completions use
};

} // namespace forerun

#endif

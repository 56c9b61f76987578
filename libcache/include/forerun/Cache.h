// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Rc.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <sys/types.h>
#include <sys/uio.h>

/// \file
/// The client-side cache of one process: pages of files, filled by a fetch engine that keeps many
/// requests in flight, replaced with knowledge of the announced future.
///
/// Invariants
///  - No byte of a file is fetched twice at the same time; a reader that needs a byte that is being
///    fetched waits for that fetch, and a fetch that is queued but not issued becomes a demand
///    fetch when someone needs it.
///  - The bytes that `read` returns are bytes that the file system returned after their last
///    invalidation: a fetch that was in flight when its bytes were written, or when a new epoch
///    began, is not trusted.
///  - Page memory never exceeds `CacheConfig::capacityBytes`.
///  - After a failed fetch its bytes are absent again.
///
/// Threads: every member function may be called from any thread at any time, except that `close`
/// must be the last call with its file. No function holds a lock while it waits for storage or
/// copies bytes. The pre-execution thread of a program never calls this class itself (it may be
/// ended at any instruction).

namespace forerun {

/// Program order of an announced read: the n-th announcement has Sequence n. 0: not announced.
using Sequence = std::uint64_t;

enum class IoEngine { Auto, IoUring, Threads };

struct CacheConfig {
  std::size_t capacityBytes = std::size_t{32} << 20;
  std::size_t pageBytes = std::size_t{64} << 10; ///< a power of two, at least 4 KiB
  unsigned inFlight = 32; ///< maximum number of requests in flight; the engine adapts below it
  IoEngine engine = IoEngine::Auto; ///< Auto: io_uring where it works, else threads
  bool direct = false;              ///< fetch through a descriptor of our own opened with O_DIRECT
};

/// How a file without a descriptor is read.
class FileReader {
public:
  virtual ~FileReader() = default;
  /// Like preadv: fills \p buffers, one after the other, with what follows \p offset. Returns the
  /// number of bytes, fewer than the buffers hold if the file ends (or for no reason, then it is
  /// asked for the rest), or -errno. From several threads at once; may take long.
  virtual ssize_t read(std::span<const iovec> buffers, std::uint64_t offset) = 0;
};

/// A file as the door hands it over. The descriptor remains the caller's, open until `close` with
/// it; the cache only ever preads it, and has none of its own for the file except for O_DIRECT. The
/// reader is kept until the last handle of the file has been closed.
struct FileSource {
  std::string path;       ///< as the file system knows it, for messages and for O_DIRECT
  int fd = -1;            ///< open for reading, or -1: there is a reader
  std::string fileSystem; ///< ROMIO's name for it ("ufs", "nfs", ...)
  std::shared_ptr<FileReader> reader = nullptr;
  /// Without a descriptor: identifies the file, by whatever name it was opened.
  std::uint64_t fileSystemId = 0, fileId = 0;
};

/// Identifies a file, however it was opened: operations on a file apply to all handles of its
/// identity. If a file system does not number its files uniquely, two files can have one identity.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::string fileSystem; ///< only if the numbers are its own, and not the kernel's

  auto operator<=>(const FileIdentity &) const = default;
};

/// False, with \p rc set, if the source is not a regular file. Any thread.
bool identify(const FileSource &source, FileIdentity &identity, forerun_rc &rc);

class CachedFile; ///< opaque; handles of one file share one

/// Identifies who makes non-blocking writes, for example by the address of a handle.
using Writer = const void *;

enum class Outcome {
  Hit,  ///< everything was present
  Late, ///< everything came from the cache, but the reader had to wait for a fetch
  Miss  ///< not all in the cache, or a fetch failed: read the file system; the buffer may have
        ///< been written to
};

struct ReadResult {
  Outcome outcome;
  std::size_t bytes; ///< valid unless Miss; shorter than asked only at the end of the file
  /// Storage time of the fetches that served it, minus the time that the reader waited.
  std::uint64_t hiddenNs;
  std::size_t fromOthers = 0; ///< how many of these bytes other members of the pool had
  bool fetched = false;       ///< nothing was here or on its way: `readOrFetch` has fetched it
};

enum class Announced {
  Accepted,
  Full ///< every page is needed sooner or in use: nothing was done; call again after `retire`, or
       ///< once a fetch has finished
};

enum class FetchKind { Prefetch, Demand };

/// One finished storage request, for statistics and the timeline. Times are those of `nowNs`.
struct FetchEvent {
  const CachedFile *file;
  std::uint64_t offset;
  std::uint64_t length;
  std::uint64_t queuedNs, issuedNs, finishedNs;
  FetchKind kind;
  forerun_rc rc;
  /// Requests that this process had in flight when it was issued, including itself. 1: its time is
  /// the storage's latency, and not that of a queue.
  unsigned inFlight = 1;
};

/// Counters since the file was opened (or, for the whole cache, since its creation).
struct CacheStats {
  std::uint64_t hits = 0, late = 0, misses = 0;             ///< reads
  std::uint64_t hitBytes = 0, lateBytes = 0, missBytes = 0; ///< bytes of those reads
  std::uint64_t fetches = 0, fetchedBytes = 0, failedFetches = 0;
  std::uint64_t usefulBytes = 0;  ///< fetched ahead and then read (each byte counted once)
  std::uint64_t uselessBytes = 0; ///< fetched ahead and dropped without having been read
  std::uint64_t staleFetches = 0; ///< arrived after their bytes were written or the epoch ended
  std::uint64_t refusedBytes = 0; ///< announced, but beyond what the whole cache can hold
  /// Reads, or parts of them in a page, that other members of the pool had in their frames.
  std::uint64_t elsewhereHits = 0, elsewhereBytes = 0;
  std::uint64_t savedBytes = 0; ///< announced, and left to a member that had or fetched them
  std::uint64_t peerBytes = 0;  ///< came from other nodes; not included in fetchedBytes
  /// Messages to other nodes about who has what, and their packets; only for the whole cache.
  std::uint64_t peerMessages = 0, peerPackets = 0;
  std::uint64_t evictions = 0;     ///< pages given up for others
  std::uint64_t peakBytes = 0;     ///< maximum page memory in use at once; only for the whole cache
  std::uint64_t borrowedBytes = 0; ///< how much of it was other members'
};

class Pool;  ///< forerun/Pool.h
class Peers; ///< forerun/Peers.h

class Cache {
public:
  /// Makes a cache and starts its engine. On failure returns null and sets \p rc.
  static std::unique_ptr<Cache> create(const CacheConfig &config, forerun_rc &rc);
  /// As a member of \p pool, which was made for this configuration, and with \p peers, which have
  /// met; both may be null.
  static std::unique_ptr<Cache> create(const CacheConfig &config, forerun_rc &rc,
                                       std::unique_ptr<Pool> pool, Peers *peers);
  virtual ~Cache() = default; ///< no file may be open any more

  /// Starts (or joins) the file of \p source. Begins a new epoch of it. Null, with \p rc set, on
  /// failure; FORERUN_ERR_AMBIGUOUS: a file of the same identity is open, and it is not certain
  /// that it is the same one.
  virtual CachedFile *open(const FileSource &source, forerun_rc &rc) = 0;
  /// The file, just opened, was opened by all that share \p name for it; none of them returned from
  /// that before all had reached it. What is absent here, and was not written here, may be asked of
  /// them until the next epoch. Does nothing without peers, or if the file was open before.
  virtual void share(CachedFile &file, std::uint64_t name) = 0;
  /// Waits for the fetches in flight through \p fd, the handle's, which may be closed then (-1: it
  /// stays open until the last handle has been closed). With the last handle of \p file: waits for
  /// all, and drops its pages.
  virtual void close(CachedFile *file, int fd = -1) = 0;

  /// Announces that [offset, offset+length) will be read as number \p sequence of the program's
  /// order and queues the fetch of what is absent; all of it or nothing. Never waits for storage.
  /// Accepted without effect: length 0, what lies after the known end of the file, and what
  /// bypasses the cache. Of a range larger than the whole cache, the part that fits is accepted and
  /// the rest counted in `refusedBytes`. Sequence 0 fetches without announcing.
  virtual Announced prefetch(CachedFile &file, std::uint64_t offset, std::uint64_t length,
                             Sequence sequence) = 0;
  /// From here to `flush` the fetches of prefetches are queued but wake no thread, so that many are
  /// issued at the cost of one. A thread that waits for one has it issued. One thread at a time.
  virtual void gather() = 0;
  virtual void flush() = 0;
  /// The program has passed every announcement up to and including \p upTo.
  virtual void retire(Sequence upTo) = 0;
  /// These announcements were wrong: they keep nothing in the cache, and what was to be fetched
  /// only for them is not fetched, unless it has been issued.
  virtual void withdraw(Sequence first, Sequence last) = 0;

  /// Serves the program's read. Waits only for fetches in flight or queued (which it raises). A
  /// range of which nothing is present or being fetched is a Miss at once, and so is one beyond the
  /// end of the file; the gaps of a partly present range are fetched on demand, concurrently.
  virtual ReadResult read(CachedFile &file, void *buffer, std::uint64_t offset,
                          std::size_t length) = 0;
  /// Serves the program's read like `read`, but what would be a Miss at once is fetched, by the
  /// calling thread itself if it is one request, and stays: for bytes that the pre-execution thread
  /// needs, too, but no sooner than the program. Counts as a miss.
  virtual ReadResult readOrFetch(CachedFile &file, void *buffer, std::uint64_t offset,
                                 std::size_t length) = 0;
  /// Reads through the cache for the pre-execution thread's private use: what is absent is
  /// fetched and stays, so that the program's own read is a hit. Not counted as a read of the
  /// program. Waits for an unused page if it has to; as the bytes are needed now, it may evict
  /// announced pages. Miss: storage failed, or the range bypasses the cache or was written
  /// meanwhile.
  virtual ReadResult readThrough(CachedFile &file, void *buffer, std::uint64_t offset,
                                 std::size_t length, Sequence sequence) = 0;
  /// True if `read` of the range would be served without a demand fetch.
  virtual bool covered(CachedFile &file, std::uint64_t offset, std::uint64_t length) = 0;
  /// True if the operating system holds the whole range in its page cache, so that no fetch would
  /// hide anything. False also if that is unknown: fetches bypass the page cache (O_DIRECT), the
  /// file has no descriptor, or the system does not tell (Linux before 6.5, or a file of another
  /// user). Never waits for storage.
  virtual bool resident(const CachedFile &file, std::uint64_t offset,
                        std::uint64_t length) const = 0;

  /// For filling the cache with what a missed read brought: take the ticket before the file system
  /// is read...
  virtual std::uint64_t ticket(CachedFile &file) = 0;
  /// ...and pass the bytes here. Bytes written or outdated since the ticket are not taken.
  /// Announced pages are never evicted for this. \p endOfFile: the file ended right after the
  /// bytes.
  virtual void fill(CachedFile &file, std::uint64_t ticket, const void *bytes, std::uint64_t offset,
                    std::size_t length, bool endOfFile) = 0;

  /// The bytes have been written (or a write of them failed half-way): every copy of them is
  /// dropped, including what fetches in flight bring.
  virtual void invalidate(CachedFile &file, std::uint64_t offset, std::uint64_t length) = 0;
  /// The same where all \p bytes are in the file now: copies of them are not dropped but renewed, and
  /// what fetches in flight bring is corrected. What the cache does not hold it does not take.
  virtual void update(CachedFile &file, std::uint64_t offset, const void *bytes,
                      std::size_t length) = 0;
  /// A non-blocking write of the bytes by \p writer is in progress: the range bypasses the cache
  /// until the epoch that ends it.
  virtual void setVolatile(CachedFile &file, Writer writer, std::uint64_t offset,
                           std::uint64_t length) = 0;
  /// Sync, set_size and their like: nothing fetched before is trusted. The non-blocking writes of
  /// \p ended are complete (null: nobody's), those of others are not.
  virtual void newEpoch(CachedFile &file, Writer ended) = 0;
  /// In atomic mode every read is a Miss and nothing is fetched. For the file, not for one handle:
  /// a caller with several combines them.
  virtual void setAtomic(CachedFile &file, bool atomic) = 0;

  virtual CacheStats stats(const CachedFile &file) const = 0;
  virtual CacheStats stats() const = 0;
  virtual const CacheConfig &config() const = 0;
  /// How the file opened last is read: "io_uring" or "threads", or "reader" without a descriptor.
  virtual const char *engineName() const = 0;
  virtual const std::string &path(const CachedFile &file) const = 0;

  /// Ends the engine's threads; waits for what they are reading. Afterwards nothing may be asked of
  /// the cache that could fetch. Once.
  virtual void endFetching() = 0;

  /// Called from an engine thread after every finished request; set before the first open.
  virtual void onFetch(std::function<void(const FetchEvent &)> observer) = 0;
};

} // namespace forerun

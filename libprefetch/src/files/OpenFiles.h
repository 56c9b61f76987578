// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/EventCount.h"
#include "files/HandleTable.h"
#include "files/ReadUnderWay.h"
#include "forerun/Cache.h"
#include "forerun/Mutex.h"
#include "measure/ReadStats.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

/// \file
/// What the door and the courier share about a file: whether the cache is asked at all. Handles of
/// one file that have a cache share it, as they share the CachedFile. Handles of the file without a
/// cache are known, too, since the process reads through all what it writes through any.

namespace forerun {

struct OpenFile {
  std::uint64_t number = 0; ///< never reused
  FileIdentity identity;
  CachedFile *cached = nullptr;
  FileStats *stats = nullptr; ///< null unless recording
  /// cache=on: asked from the start, also filled by missed reads.
  std::atomic<bool> always{false};
  /// Whether the door asks the cache: while it does not, a read costs only one relaxed load.
  std::atomic<bool> serving{false};
  std::atomic<std::uint32_t> misses{0}; ///< some of which are timed
  ReadUnderWay underWay;                ///< one of those of which the door hears the end
  /// Private reads of the file come hardly before the program reads the same, or later. What the
  /// program misses it reads into the cache, where they find it; while they rest, it leaves its short
  /// reads in the Trail only (Lead.h).
  std::atomic<bool> followed{false};
  static constexpr std::size_t kMaxFollowedBytes = std::size_t{64} << 10; ///< of such a read
  /// kServed: something of the file has been announced or kept since the open, and the cache must
  /// be told of writes from then on. kWritten: something has been written. Never reset.
  ///
  /// A write changes the file and then reads this; the first announcement changes this and then has
  /// the file read. Loads and stores of this would not order the accesses to the file, which system
  /// calls or other machines make, and a processor may read before the change. So both sides read
  /// and modify in one step: one is first, and the other sees it and all that its thread did
  /// before. If the write's step is first, the fetch follows the write and brings the new bytes; if
  /// it is second, the cache is told of the write.
  std::atomic<unsigned> touched{0};
  static constexpr unsigned kServed = 1, kWritten = 2;
  /// The cache knows everything that makes bytes volatile, unless it was told separately.
  std::atomic<bool> volatileKnown{false};
  unsigned handles = 0, atomicHandles = 0; ///< under OpenFiles' mutex
  bool isShared = false; ///< several processes read and write it through a handle; like these
  Mutex writers;
  /// Handles with `unknownWrites`. While there are any, the whole file is volatile to the cache
  /// once it is touched; the writer is then this object.
  unsigned unknownWriters FORERUN_GUARDED_BY(writers) = 0;

  /// To be called before something is fetched or kept.
  void serve(Cache &cache);
  /// After a write has returned: whether the cache must be told of it.
  bool mustHearOfWrite() { return (touched.fetch_or(kWritten) & kServed) != 0; }
  /// Before a non-blocking write is posted: false if the cache must be told of its bytes. True:
  /// \p handle remembers that there was one, which is all that programs pay for that announce
  /// nothing.
  bool leaveUnknown(forerun_handle &handle);
  /// The non-blocking writes through \p handle are complete, and an epoch begins.
  void settle(Cache &cache, forerun_handle &handle);
};

class OpenFiles {
public:
  /// Held while a file is opened or closed here and in the cache, so that both agree on which is
  /// the last handle of a file.
  Mutex &lifetimes() FORERUN_RETURNS_MUTEX(lifetimes_) { return lifetimes_; }
  /// Adds a handle of \p cached. Main threads.
  OpenFile *add(const FileIdentity &identity, CachedFile *cached, FileStats *stats);
  /// Removes a handle; with the last one \p file is destroyed. The handle must have no user left,
  /// and its CachedFile is still open.
  void drop(OpenFile *file);

  /// \p handle has its identity and no cache. Main threads, like the rest of these.
  void addUncached(forerun_handle &handle);
  void dropUncached(forerun_handle &handle);
  /// Calls \p act with the open file affected by operations through \p handle: its own, or if it
  /// has no cache that of others, which stays open meanwhile; null if none of them has one.
  template <typename Act> void withFileOf(const forerun_handle &handle, const Act &act) {
    if (handle.open != nullptr)
      return act(handle.open);
    const MutexLock lock(mutex_);
    const auto found = files_.find(handle.identity);
    act(found != files_.end() ? found->second.get() : nullptr);
  }

  /// Sets whether \p handle is in atomic mode. Returns whether any handle of the file is.
  bool setAtomic(forerun_handle &handle, bool atomic);
  /// Several processes read and write \p file, which is open.
  void noteShared(OpenFile &file);
  /// Begins an epoch of all such files.
  void outdateShared(Cache &cache);
  /// False: there has been no such file.
  bool haveShared() const { return haveShared_.load(std::memory_order_relaxed); }

  /// From now on no byte of any file comes from \p cache (null: there is none yet): for lack of
  /// memory a handle is open of which nothing is known, so nobody learns of writes through it.
  void distrustAll(Cache *cache);
  bool distrusted() const { return distrusted_.load(std::memory_order_relaxed); }
  /// The door stops asking the cache, except for cache=on. Any thread.
  void stopServing();

  bool isOpen(std::uint64_t number) const;
  /// Grows with each file that is closed.
  std::uint64_t closings() const { return closings_.load(std::memory_order_acquire); }

  /// Waits until no library thread uses \p handle, whose generation has ended.
  void waitUntilUnused(const forerun_handle &handle);
  EventCount &released() { return released_; }

private:
  Mutex lifetimes_;
  mutable Mutex mutex_;
  std::map<FileIdentity, std::unique_ptr<OpenFile>> files_ FORERUN_GUARDED_BY(mutex_);
  std::vector<forerun_handle *> uncached_ FORERUN_GUARDED_BY(mutex_);
  std::uint64_t numbers_ FORERUN_GUARDED_BY(mutex_) = 0;
  std::atomic<std::uint64_t> closings_{0};
  std::atomic<bool> distrusted_{false}, haveShared_{false};
  EventCount released_;
};

/// A library thread's hold on a handle: while it lives, detach does not close the file.
class HandleUse {
public:
  HandleUse(HandleTable &handles, OpenFiles &files, std::uint32_t slot, std::uint32_t generation);
  ~HandleUse();
  HandleUse(const HandleUse &) = delete;
  HandleUse &operator=(const HandleUse &) = delete;

  explicit operator bool() const { return handle_ != nullptr; }
  CachedFile &cached() const { return *handle_->file; }
  OpenFile &open() const { return *handle_->open; }

private:
  OpenFiles &files_;
  forerun_handle *handle_;
};

} // namespace forerun

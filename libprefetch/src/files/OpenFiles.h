// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_OPENFILES_H
#define FORERUN_OPENFILES_H

#include "base/EventCount.h"
#include "files/HandleTable.h"
#include "forerun/Cache.h"
#include "forerun/Mutex.h"
#include "measure/ReadStats.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>

/// \file
/// What the door and the courier share about a file: whether the cache is asked at all. Handles of
/// one file share it, as they share the CachedFile.

namespace forerun {

struct OpenFile {
  std::uint64_t number = 0; ///< never used twice
  CachedFile *cached = nullptr;
  FileStats *stats = nullptr; ///< null unless recording
  /// cache=on: asked from the start, also filled by missed reads.
  std::atomic<bool> always{false};
  /// Whether the door asks the cache: one relaxed load is all that a read costs while it does not.
  std::atomic<bool> serving{false};
  std::atomic<std::uint32_t> misses{0}; ///< of which some are timed
  /// Something of the file has been announced or kept since it was opened: writes must be told to
  /// the cache from then on. Never reset.
  std::atomic<bool> touched{false};
  /// A non-blocking write has been posted of which the cache was not told: all of the file is
  /// volatile to it.
  std::atomic<bool> unknownWrites{false};
  unsigned handles = 0, atomicHandles = 0; ///< under OpenFiles' mutex

  /// To be called before something is fetched or kept.
  void serve(Cache &cache);
  /// After a write has returned: whether the cache must hear of it. Either this sees `serve`, or
  /// the fetch that followed `serve` began after the write and brings the new bytes.
  bool mustHearOfWrite() const { return touched.load(std::memory_order_seq_cst); }
};

class OpenFiles {
public:
  /// Held while a file is opened or closed here and in the cache, so that both agree on what is the
  /// last handle of a file.
  Mutex &lifetimes() FORERUN_RETURNS_MUTEX(lifetimes_) { return lifetimes_; }
  /// One more handle of \p cached. Main threads.
  OpenFile *add(CachedFile *cached, FileStats *stats);
  /// One handle less; with the last one \p file is destroyed. The handle must have no user left.
  void drop(OpenFile *file);
  /// Whether \p handle is in atomic mode. Returns whether any handle of the file is.
  bool setAtomic(forerun_handle &handle, bool atomic);
  /// The door stops asking the cache, but for cache=on. Any thread.
  void stopServing();

  bool isOpen(std::uint64_t number) const;
  /// Grows with every file that is closed.
  std::uint64_t closings() const { return closings_.load(std::memory_order_acquire); }

  /// Waits until no library thread uses \p handle, whose generation has ended.
  void waitUntilUnused(const forerun_handle &handle);
  EventCount &released() { return released_; }

private:
  Mutex lifetimes_;
  mutable Mutex mutex_;
  std::map<CachedFile *, std::unique_ptr<OpenFile>> files_ FORERUN_GUARDED_BY(mutex_);
  std::uint64_t numbers_ FORERUN_GUARDED_BY(mutex_) = 0;
  std::atomic<std::uint64_t> closings_{0};
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

#endif

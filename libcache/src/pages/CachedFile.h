// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_CACHEDFILE_H
#define FORERUN_CACHEDFILE_H

#include "base/IntervalSet.h"
#include "fetch/FetchRequest.h"
#include "pages/Page.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <tuple>
#include <unordered_map>

/// \file
/// What the cache knows of one file; shared by all handles of it. Data only, guarded by the cache's
/// mutex but for the last two; the rules are PageCache's.

namespace forerun {

/// Which file it is, however it was opened.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::string fileSystem; ///< only where the numbers are its own, and not the kernel's

  bool operator<(const FileIdentity &other) const {
    return std::tie(device, inode, fileSystem) <
           std::tie(other.device, other.inode, other.fileSystem);
  }
};

class CachedFile {
public:
  /// As `end`: not known. No offset is behind it.
  static constexpr std::uint64_t kUnknownEnd = kOffsetLimit;

  FileIdentity identity;
  std::string path;
  /// A duplicate of the first handle's: it stays open whichever handle is closed first.
  int fd = -1;
  FetchFile *source = nullptr;
  unsigned handles = 0;
  unsigned inFlight = 0; ///< fetches whose completion has not returned yet

  bool atomic = false;
  /// Counts what may change bytes or size: writes, epochs. What was asked of the file system at an
  /// older count shows the file as it may no longer be.
  std::uint64_t changes = 0;
  /// The file ends here or before: `end` is the end where the sector before it is present, else an
  /// upper bound (a fetch found nothing). The sector that it cuts is valid up to it, so that it
  /// goes when the end is forgotten.
  std::uint64_t end = kUnknownEnd;
  /// Being written by non-blocking writes: bypasses the cache until the next epoch.
  IntervalSet volatileBytes;

  std::unordered_map<std::uint64_t, Page *> pages; ///< by page number; no orphans
  CacheStats stats;                                ///< without hitsWithoutMutex

  // Not guarded.
  /// What lies before it neither bypasses the cache nor is behind the end. Follows what it is made
  /// of, under the mutex; a read that is under way meanwhile may see it before or after.
  std::atomic<std::uint64_t> plainEnd = kUnknownEnd;
  HitCounts hitsWithoutMutex;

  void updatePlainEnd() {
    plainEnd.store(atomic || !volatileBytes.empty() ? 0 : end, std::memory_order_release);
  }
  CacheStats allStats() const {
    CacheStats all = stats;
    const HitCounts::Sum more = hitsWithoutMutex.sum();
    all.hits += more.hits;
    all.hitBytes += more.bytes;
    return all;
  }
  bool bypasses(ByteRange range) const { return atomic || volatileBytes.overlaps(range); }
  ByteRange upToEnd(ByteRange range) const { return {range.begin, std::min(range.end, end)}; }
};

} // namespace forerun

#endif

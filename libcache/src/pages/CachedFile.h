// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_CACHEDFILE_H
#define FORERUN_CACHEDFILE_H

#include "base/IntervalSet.h"
#include "forerun/Cache.h"
#include "forerun/Clock.h"
#include "pages/OwnChanges.h"
#include "pages/Page.h"
#include "pool/PageKey.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <new>
#include <string>
#include <unordered_map>
#include <vector>

/// \file
/// What the cache knows of one file; shared by all handles of it. Guarded by the cache's mutex, but
/// for what says otherwise; the rules are PageCache's, FetchBook's and EndOfFile's.
///
/// Invariant: what lies before `plainEnd` neither bypasses the cache nor is after the known end.

namespace forerun {

class FetchFile;

class CachedFile {
public:
  /// As `end`: not known. No offset is after it.
  static constexpr std::uint64_t kUnknownEnd = kOffsetLimit;

  FileIdentity identity;
  std::string path;
  /// Those of the open handles, and the one among them that the file is read through. Not guarded:
  /// a glance at it may be of one that was closed just now.
  std::vector<int> descriptors;
  std::atomic<int> fd = -1;
  FetchFile *source = nullptr;
  unsigned handles = 0;
  /// Fetches whose completion has not returned yet, by the turn in which they were made. A turn ends
  /// when the file is to be read through another descriptor: what was made before is waited for.
  std::array<unsigned, 2> inFlight{};
  unsigned turn = 0;

  /// Counts what may change bytes or size: writes, epochs. What was asked of the file system at an
  /// older count shows the file as it may no longer be.
  std::uint64_t changes = 0;
  FileKey key; ///< what it is called in a pool
  /// Of these changes, what decides which bytes of others' are new enough. Not guarded for who only reads it.
  OwnChanges own{nowNs()};
  /// What it is called between nodes; 0: it is not shared with them. Not guarded for who only reads it.
  std::atomic<std::uint64_t> peerName = 0;
  /// What other nodes are asked for page \p index by; 0: they may have it as it was before this process wrote.
  std::uint64_t peerNameOf(std::uint64_t index) const {
    return own.mayHaveWritten(index) ? 0 : peerName.load();
  }
  PageKey pageKey(std::uint64_t index) const { return key.page(index, peerNameOf(index)); }
  std::unordered_map<std::uint64_t, Page *> pages; ///< by page number; no orphans
  CacheStats stats;                                ///< without hitsWithoutMutex

  HitCounts hitsWithoutMutex; ///< not guarded
  HitCounts hitsElsewhere;    ///< pages of reads, from others' frames; not guarded

  /// The file ends here or before: it is the end where the sector before it is present, else an
  /// upper bound (a fetch found nothing). The sector that it cuts is valid up to it.
  std::uint64_t end() const { return end_; }
  ByteRange upToEnd(ByteRange range) const { return {range.begin, std::min(range.end, end_)}; }
  bool bypasses(ByteRange range) const {
    return atomic_ || anyVolatile([&](const IntervalSet &bytes) { return bytes.overlaps(range); });
  }
  /// Whether bytes after \p offset are being written by non-blocking writes.
  bool isVolatileBeyond(std::uint64_t offset) const {
    return anyVolatile([&](const IntervalSet &bytes) { return bytes.reachesBeyond(offset); });
  }
  /// Not guarded. A read that is under way while it changes may see it before or after.
  std::uint64_t plainEnd() const { return plainEnd_.load(std::memory_order_acquire); }

  void setEnd(std::uint64_t end) {
    end_ = end;
    updatePlainEnd();
  }
  void setAtomic(bool atomic) {
    atomic_ = atomic;
    updatePlainEnd();
  }
  /// \p range bypasses the cache until `endVolatile`.
  void addVolatile(Writer writer, ByteRange range) {
    try {
      volatileBytes_[writer].add(range);
    } catch (const std::bad_alloc &) { // nobody will know when it is over
      atAllTimes_.add({0, kOffsetLimit});
    }
    updatePlainEnd();
  }
  /// The non-blocking writes of \p writer are over.
  void endVolatile(Writer writer) {
    volatileBytes_.erase(writer);
    updatePlainEnd();
  }

  CacheStats allStats() const {
    CacheStats all = stats;
    const HitCounts::Sum more = hitsWithoutMutex.sum();
    all.hits += more.hits;
    all.hitBytes += more.bytes;
    const HitCounts::Sum elsewhere = hitsElsewhere.sum();
    all.elsewhereHits += elsewhere.hits;
    all.elsewhereBytes += elsewhere.bytes;
    return all;
  }

private:
  template <typename Is> bool anyVolatile(const Is &is) const {
    return is(atAllTimes_) ||
           std::ranges::any_of(volatileBytes_, [&](const auto &of) { return is(of.second); });
  }
  void updatePlainEnd() {
    const bool isPlain = !atomic_ && volatileBytes_.empty() && atAllTimes_.empty();
    plainEnd_.store(isPlain ? end_ : 0, std::memory_order_release);
  }

  bool atomic_ = false;
  std::uint64_t end_ = kUnknownEnd;
  std::map<Writer, IntervalSet> volatileBytes_; ///< no empty sets
  IntervalSet atAllTimes_;                      ///< volatile until the file is closed
  std::atomic<std::uint64_t> plainEnd_ = kUnknownEnd;
};

} // namespace forerun

#endif

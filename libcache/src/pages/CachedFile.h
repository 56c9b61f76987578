// SPDX-License-Identifier: Apache-2.0
#pragma once

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
/// What the cache knows about one file; shared by all handles of it. Guarded by the cache's mutex,
/// unless stated otherwise; the rules are PageCache's, FetchBook's and EndOfFile's.
///
/// Invariant: what lies before `plainEnd` neither bypasses the cache nor is after the known end.

namespace forerun {

class FetchFile;

class CachedFile {
public:
  /// Value of `end`: unknown. No offset is after it.
  static constexpr std::uint64_t kUnknownEnd = kOffsetLimit;

  FileIdentity identity;
  std::string path;
  /// Those of the open handles, and the one among them that the file is read through. `fd` is not
  /// guarded: a read of it may give one that was closed just now.
  std::vector<int> descriptors;
  std::atomic<int> fd = -1;
  FetchFile *source = nullptr;
  unsigned handles = 0;
  /// Fetches whose completion has not returned yet, by the turn in which they were made. A turn
  /// ends when the file is to be read through another descriptor: earlier fetches are waited for.
  std::array<unsigned, 2> inFlight{};
  unsigned turn = 0;

  /// Counts what may change bytes or size: writes, epochs. What was requested from the file system
  /// at an older count shows the file as it may no longer be.
  std::uint64_t changes = 0;
  FileKey key; ///< its name in a pool
  /// Those of the changes that decide which of others' bytes are new enough. Reads are not guarded.
  OwnChanges own{nowNs()};
  /// Its name between nodes; 0: not shared with them. Not guarded for reads.
  std::atomic<std::uint64_t> peerName = 0;
  /// Name for asking other nodes for page \p index; 0: theirs may predate this process's writes.
  std::uint64_t peerNameOf(std::uint64_t index) const {
    return own.mayHaveWritten(index) ? 0 : peerName.load();
  }
  PageKey pageKey(std::uint64_t index) const { return key.page(index, peerNameOf(index)); }
  std::unordered_map<std::uint64_t, Page *> pages; ///< by page number; no orphans
  CacheStats stats;                                ///< without hitsWithoutMutex

  HitCounts hitsWithoutMutex; ///< not guarded
  HitCounts hitsElsewhere;    ///< pages of reads, from others' frames; not guarded

  /// The file ends here or before: this is the end if the sector before it is present, otherwise an
  /// upper bound (a fetch found nothing). The sector that it cuts is valid up to it.
  std::uint64_t end() const { return end_; }
  ByteRange upToEnd(ByteRange range) const { return {range.begin, std::min(range.end, end_)}; }
  bool bypasses(ByteRange range) const {
    return atomic_ || anyVolatile([&](const IntervalSet &bytes) { return bytes.overlaps(range); });
  }
  /// Whether non-blocking writes to bytes after \p offset are in progress.
  bool isVolatileBeyond(std::uint64_t offset) const {
    return anyVolatile([&](const IntervalSet &bytes) { return bytes.reachesBeyond(offset); });
  }
  /// Not guarded. A read in progress while it changes may see it before or after.
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
    } catch (const std::bad_alloc &) { // nobody will know when the write is complete
      atAllTimes_.add({0, kOffsetLimit});
    }
    updatePlainEnd();
  }
  /// The non-blocking writes of \p writer are complete.
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

// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_READING_H
#define FORERUN_READING_H

#include "cache/PageCache.h"

/// \file
/// What is known about a read while it is served.

namespace forerun {

/// A read in progress, of the program or of the pre-execution thread ahead of it.
struct PageCache::Reading {
  CachedFile &file;
  std::byte *to;
  ByteRange range;
  bool program;
  bool fetches = false;  ///< what would be a miss at once
  Sequence sequence = 0; ///< of the program's read, if the pre-execution thread reads
  ReadResult result{Outcome::Hit, 0, 0};
  FetchRequest *own = nullptr; ///< planned, and to be read by the reader itself
  bool noMemory = false;       ///< to fetch what is absent
  bool faulted = false;        ///< `to` cannot be written to: the file system says what that means
  /// A page that others were to provide and did not: it is fetched without asking them again.
  std::uint64_t givenUp = ~std::uint64_t{0};

  /// What is still to be read, as far as the end of the file is known now.
  ByteRange rest() const { return file.upToEnd({range.begin + result.bytes, range.end}); }

  ReadResult served() {
    if (result.fetched) {
      countMissed();
    } else if (program && result.outcome == Outcome::Hit) {
      ++file.stats.hits;
      file.stats.hitBytes += result.bytes;
    } else if (program) {
      ++file.stats.late;
      file.stats.lateBytes += result.bytes;
    }
    return result;
  }
  /// What has been counted as served could not be copied.
  ReadResult servedInVain() {
    if (result.fetched)
      return {Outcome::Miss, 0, 0}; // it counts as a miss already
    if (program && result.outcome == Outcome::Hit) {
      --file.stats.hits;
      file.stats.hitBytes -= result.bytes;
    } else if (program) {
      --file.stats.late;
      file.stats.lateBytes -= result.bytes;
    }
    return missed();
  }
  ReadResult missed() const {
    if (program)
      countMissed();
    return {Outcome::Miss, 0, 0};
  }
  void countMissed() const {
    ++file.stats.misses;
    file.stats.missBytes += range.length();
  }
};

/// A part of a read, within a page, in another process's frame.
struct PageCache::Elsewhere {
  ByteRange range{};
  NodePool::Wanted wanted{};
  Slot slot = 0;
  bool comes = false; ///< not all of it is there yet
};

/// What others have, or will have, of a page, and in which frames.
struct PageCache::Others {
  SectorSet::Word sectors = 0;
  std::array<Slot, 8> holders{};
  std::size_t count = 0;
};

} // namespace forerun

#endif

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pages/SectorSet.h"
#include "pages/Stripes.h"
#include "policy/Policy.h"
#include "policy/UseQueue.h"
#include "pool/SharedFrame.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

/// \file
/// A frame and what it holds. Guarded by the cache's mutex, except for pins.
///
/// Reading without the mutex: pin the page, then check `open`. If it has the sectors, `file` and
/// `index` and the bytes of these sectors stay until the pin ends; if not, read nothing else.
/// Changing what readers of an open page rely on (its place in a file, trust in a sector): close it
/// with `open = 0`, then check `pins`. Both orders are sequentially consistent, so that the reader
/// sees the page closed or the writer sees it pinned.

namespace forerun {

class CachedFile;
struct Fetch; ///< FetchBook.h

/// A sector of a page is absent, fetching or present. The bytes of a present sector, up to the
/// file's known end, are those of the file; nobody changes them while the page is pinned, unless
/// all who pin it still wait.
struct alignas(kCacheLineBytes) Page {
  Page(Slot theSlot, std::byte *theFrame, SharedFrame *theShared, unsigned sectors)
      : slot(theSlot), frame(theFrame), shared(theShared), present(sectors), fetching(sectors),
        ahead(sectors) {}

  const Slot slot;
  std::byte *const frame;
  SharedFrame *const shared; ///< what the other processes of a pool see of it; null: no pool

  CachedFile *file = nullptr; ///< null: the frame is free
  std::uint64_t index = 0;    ///< page number in the file

  /// Readers and fillers that use the frame without the mutex. A pinned page keeps its frame. Rises
  /// under the mutex, or to check `open`. A thread that ends the last pin without the mutex then
  /// checks `orphan`; one that sets `orphan` then checks `pins`: one of them sees the other.
  std::atomic<unsigned> pins = 0;
  /// How many of the pins belong to readers that wait for fetches and copy no byte yet. Under the
  /// mutex.
  unsigned waiting = 0;
  /// Sectors, one bit each, that may be read without the mutex: of the first 64 those in `present`
  /// and not in `ahead` that lie before the known end of the file. 0 while the page cannot be found
  /// or has a `fetchNs` to credit: a read of what was fetched ahead must be counted.
  std::atomic<Sectors> open = 0;
  /// Outdated while in use: can no longer be found, is no longer trusted; its frame is free again
  /// when it is idle.
  std::atomic<bool> orphan = false;

  SectorSet present;
  SectorSet fetching; ///< disjoint from `present`; written to by the engine or by `fill`
  SectorSet ahead;    ///< part of `present`: fetched ahead and not yet read by the program

  Fetch *fetches = nullptr;  ///< in flight; their sectors are in `fetching`
  UseQueue uses;             ///< announced reads to come; the policy knows the first
  std::uint64_t fetchNs = 0; ///< longest fetch into it that has not been credited to a read
  /// Some bytes were requested from the storage before it got its frame: not for others.
  bool filled = false;

  void pin() { pins.fetch_add(1); }
  bool unpin() { return pins.fetch_sub(1) == 1; } ///< true if that was the last pin
  bool idle() const { return pins == 0 && fetching.empty() && !pinnedByOthers(); }
  /// Whether bytes of the frame are being copied now; to be asked of a page that is not open.
  bool inCopy() const { return pins > waiting || pinnedByOthers(); }
  bool pinnedByOthers() const { return shared != nullptr && shared->pins.load() != 0; }

  // ---- in a pool: which of its absent sectors this process may write to ----
  Sectors wordOf(SectorRange sectors) const { return shared == nullptr ? 0 : bitsOf(sectors); }
  /// Takes \p sectors; returns those that others have taken.
  Sectors take(Sectors sectors) {
    return shared == nullptr ? 0 : shared->taken.fetch_or(sectors) & sectors;
  }
  void release(Sectors sectors) {
    if (shared != nullptr && sectors != 0)
      shared->taken.fetch_and(~sectors);
  }
  bool isTaken(Sectors sectors) const {
    return shared != nullptr && (shared->taken.load() & sectors) != 0;
  }

  /// Those of \p sectors that it neither has nor is fetching.
  Sectors absentBits(SectorRange sectors) const {
    return wordOf(sectors) & ~(present.firstWord() | fetching.firstWord());
  }
  /// Tells the others what is being fetched into it. To be called when that has changed.
  void tellComing() {
    if (shared != nullptr && !orphan)
      shared->coming.store(filled ? 0 : fetching.firstWord());
  }

  bool absent(unsigned sector) const { return !present.has(sector) && !fetching.has(sector); }
  /// The first run of absent sectors in \p sectors, except \p others; an empty one at their end if
  /// there is none.
  SectorRange firstAbsent(SectorRange sectors, Sectors others = 0) const {
    const auto isGap = [&](unsigned sector) {
      return absent(sector) && (sector >= SectorSet::kWordBits || ((others >> sector) & 1) == 0);
    };
    while (!sectors.empty() && !isGap(sectors.first))
      ++sectors.first;
    SectorRange run{sectors.first, sectors.first};
    while (run.last < sectors.last && isGap(run.last))
      ++run.last;
    return run;
  }
};

} // namespace forerun

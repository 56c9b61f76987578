// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PAGE_H
#define FORERUN_PAGE_H

#include "FetchEngine.h"
#include "Policy.h"
#include "SectorSet.h"
#include "UseQueue.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

/// \file
/// A frame and what it holds, and a fetch under way into it. Guarded by the cache's mutex, but for
/// the end of a pin.

namespace forerun {

struct Page;

/// One run of sectors on its way from storage. Made when its sectors become `fetching`, gone when
/// the engine has completed the request.
struct Fetch {
  FetchRequest request;
  CachedFile *file = nullptr;
  Page *page = nullptr;
  SectorRange sectors{};
  bool ahead = false;        ///< for an announcement, not for a read of the program
  std::uint64_t changes = 0; ///< CachedFile::changes when it was made
  Fetch *next = nullptr;     ///< of the same page
};

/// A sector of a page is absent, fetching or present. The bytes of a present sector, up to the
/// file's known end, are those of the file; nobody changes them while the page is pinned.
struct Page {
  Page(Slot theSlot, std::byte *theFrame, unsigned sectors)
      : slot(theSlot), frame(theFrame), present(sectors), fetching(sectors), ahead(sectors) {}

  const Slot slot;
  std::byte *const frame;

  CachedFile *file = nullptr; ///< null: the frame is free
  std::uint64_t index = 0;    ///< page number in the file

  /// Readers and fillers that use the frame without the mutex. A pinned page keeps its frame. Rises
  /// under the mutex only. Who takes the last pin away without it looks at `orphan` after; who sets
  /// `orphan` looks at `pins` after: one of them sees the other.
  std::atomic<unsigned> pins = 0;
  /// Outdated while in use: no longer to be found, no longer trusted; its frame is free again when
  /// it is idle.
  std::atomic<bool> orphan = false;

  SectorSet present;
  SectorSet fetching; ///< disjoint from `present`; written to by the engine or by `fill`
  SectorSet ahead;    ///< part of `present`: fetched ahead and not yet read by the program

  Fetch *fetches = nullptr;  ///< under way; their sectors are in `fetching`
  UseQueue uses;             ///< announced reads to come; the policy knows the first
  std::uint64_t fetchNs = 0; ///< longest fetch into it that no read has been credited with

  void pin() { pins.fetch_add(1, std::memory_order_relaxed); }
  bool unpin() { return pins.fetch_sub(1) == 1; } ///< true if that was the last pin
  bool idle() const { return pins == 0 && fetching.empty(); }
};

} // namespace forerun

#endif

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fetch/FetchEngine.h"
#include "fetch/StorageCost.h"
#include "pages/PageTable.h"

#include <unordered_map>
#include <vector>

/// \file
/// The book-keeping of fetches: from absent sectors to requests to the engine, and from a completed
/// request back to its page.
///
/// Invariants
///  - A fetch is in its page's list, and its sectors are `fetching`, from `plan` to `end`; a fetch
///    into another member's frame is in that frame's list, and pins it.
///  - No sector is in two fetches.
///  - A file counts a fetch in `inFlight` from `plan` to `returned`.
///  - Nothing stays planned when the cache's mutex is released.
/// Threads: none of its own; guarded by the cache's mutex.

namespace forerun {

/// One run of sectors being fetched from storage. Made when its sectors become `fetching`,
/// destroyed when the engine has completed the request.
struct Fetch {
  FetchRequest request;
  CachedFile *file = nullptr;
  Page *page = nullptr; ///< null: it goes into another member's frame
  Slot host = 0;        ///< that frame
  SectorRange sectors{};
  unsigned turn = 0;         ///< CachedFile::turn when it was made
  bool ahead = false;        ///< for an announcement, not for a read of the program
  std::uint64_t changes = 0; ///< CachedFile::changes when it was made
  Fetch *next = nullptr;     ///< of the same page, or into the same frame
  /// What this process has written since: it may have been read before or after.
  struct Correction {
    std::uint64_t offset;
    std::vector<std::byte> bytes;
  };
  std::vector<Correction> corrections{}; ///< the later one is right
};

/// What sectors are fetched for.
struct Purpose {
  FetchKind kind;
  bool ahead; ///< like Fetch::ahead
  Sequence sequence;
  Sectors others = 0; ///< sectors that others are to provide
};

class FetchBook {
public:
  explicit FetchBook(PageTable &table) : table_(table), geometry_(table.geometry()) {}
  void setEngine(FetchEngine &engine) { engine_ = &engine; } ///< before anything is planned

  /// Plans a fetch of every absent run of \p sectors, except what others are to provide, or have
  /// taken. False: memory for all of them was lacking.
  bool plan(CachedFile &file, Page &page, SectorRange sectors, Purpose purpose);
  /// The same for a run that was taken in another member's frame \p host, which lies at \p frame.
  bool planAsGuest(CachedFile &file, std::uint64_t index, Slot host, std::byte *frame,
                   SectorRange run, Purpose purpose);
  /// Passes on what is planned.
  void submit();
  /// The same, for prefetches: while the engine's caller gathers, no engine thread is woken.
  void submitAhead();
  void setGathering(bool gathering) { gathering_ = gathering; }
  /// Takes out the planned request, if it is the only one, for a caller that reads it; else null.
  FetchRequest *takeOnly();

  /// Somebody waits for \p sectors: those still queued become a demand fetch.
  void raise(const Page &page, SectorRange sectors) const;
  /// The same for what comes into another member's frame.
  void raiseGuests(Slot host) const;

  /// Nobody has announced the page any more: what was to be fetched for that is added to \p back,
  /// unless it has been issued.
  void takeBack(const Page &page, std::vector<FetchRequest *> &back) const;

  /// The file has \p bytes in \p range now: remembers them for what is on its way into \p page.
  /// False: not for all of it.
  static bool correct(const Page &page, ByteRange range, const std::byte *bytes);

  /// Counts the fetch. FORERUN_OK if its bytes may be trusted.
  static forerun_rc judge(const Fetch &fetch);
  /// The page is done with the fetch; what that has \p brought becomes present if it can be trusted.
  void end(const Fetch &fetch, ByteRange brought);
  /// The same for a fetch into another member's frame, which \p kept this many of its bytes.
  void endGuest(const Fetch &fetch, std::uint64_t kept);

private:
  Fetch &make(CachedFile &file, std::uint64_t index, std::byte *frame, SectorRange run,
              Purpose purpose);
  std::uint64_t takeIn(const Fetch &fetch, ByteRange brought);
  static void applyCorrections(const Fetch &fetch);
  static void countUseless(const Fetch &fetch, std::uint64_t kept);

  PageTable &table_;
  const Geometry &geometry_;
  AloneCost alone_;
  FetchEngine *engine_ = nullptr;
  std::vector<FetchRequest *> planned_;
  std::unordered_map<Slot, Fetch *> guests_; ///< by frame, the first
  bool gathering_ = false;                   ///< a thread that waits for a fetch flushes first
};

} // namespace forerun

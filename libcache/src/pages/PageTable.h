// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PAGETABLE_H
#define FORERUN_PAGETABLE_H

#include "base/Geometry.h"
#include "base/ZeroedArray.h"
#include "pages/CachedFile.h"
#include "pages/FrameRegion.h"
#include "pages/OpenPages.h"
#include "pages/Page.h"
#include "pages/Stripes.h"
#include "policy/Policy.h"
#include "pool/NodePool.h"

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

/// \file
/// All pages of the cache: which frame holds which page, which frames are free, which page is
/// evicted next, and which announced reads are still to come. Where the cache is a member of a pool
/// the frames are the pool's, those that are free are given back, and the others are told what is in
/// those that are not.
///
/// Invariants
///  - A frame is free, or holds a page that is found through its file, or an orphan's.
///  - The policy knows exactly the pages that can be found, each with the first of its uses.
///  - Only idle pages lose their frame, and closed ones (Page::open).
///  - Every use that a page holds is also in `announced_`.
///  - Others are told of a page from `add` to `drop`; what is open to them is present, and closed
///    with `close`.
///  - Frames that others still read when their page is dropped are in `lingering_`.
/// Threads: none of its own; guarded by the cache's mutex but where it says otherwise.

namespace forerun {

class PageTable {
public:
  /// Throws std::bad_alloc. What it takes grows with the frames that are used. \p pool: null, or
  /// where the frames come from, which are of that size.
  PageTable(std::size_t capacityBytes, std::size_t pageBytes, NodePool *pool);
  ~PageTable();
  PageTable(const PageTable &) = delete;
  PageTable &operator=(const PageTable &) = delete;

  /// Of a page that is shared with other nodes and loses its frame \p gone is told. Throws nothing.
  using Gone = std::function<void(const Page &page)>;
  void tellGone(Gone gone) { gone_ = std::move(gone); }

  bool valid() const { return pool_ != nullptr || region_->base() != nullptr; }
  const Geometry &geometry() const { return geometry_; }
  /// Of its own; others may lend more.
  std::size_t frames() const { return frames_; }
  std::size_t maxFramesUsed() const { return maxUsed_; }

  Page *find(const CachedFile &file, std::uint64_t index) const {
    const auto found = file.pages.find(index);
    return found == file.pages.end() ? nullptr : found->second;
  }
  /// With a pool: the page in one of its frames, or null.
  const Page *heldIn(Slot slot) { return isMade_[slot] ? &pageOf(slot) : nullptr; }
  void touch(const Page &page) { policy().touch(page.slot); }

  /// Makes sure that \p count frames are free for something needed at \p neededAt, giving up pages
  /// if need be, but none of \p file with a number in [first, endPage). All or nothing. False also
  /// where there is no memory to find out.
  bool makeRoom(std::size_t count, Sequence neededAt, const CachedFile &file, std::uint64_t first,
                std::uint64_t endPage);
  /// Gives a free frame to a page that is not there; makeRoom has been called. Null: no memory.
  Page *add(CachedFile &file, std::uint64_t index);

  /// The page will be read as number \p use; forgotten where there is no memory to remember it.
  void announce(Page &page, Sequence use);
  /// True if \p count more uses may be announced: bounds the memory for them.
  bool mayAnnounce(std::size_t count) const;
  /// Every use up to \p last is over.
  void retire(Sequence last);
  /// Uses from \p first to \p last will not be. \p unused is told of each page that has no other.
  using Unused = std::function<void(const Page &page)>;
  void withdraw(Sequence first, Sequence last, const Unused &unused);
  /// The program will read what is in another's frame as number \p use: its holder keeps it till
  /// then, if it can.
  void want(Slot slot, Sequence use);

  /// The page can no longer be found. Its frame is free now or, if it is in use, when that ends.
  void drop(Page &page);
  /// Sectors are outdated: they become absent, or the page is dropped if somebody is using it or
  /// fetching them.
  void outdate(Page &page, SectorRange sectors);
  /// The file has \p bytes in \p range now: so do the present sectors, or the page is dropped if
  /// somebody is using it. Does nothing about sectors that are being fetched.
  void overwrite(Page &page, ByteRange range, const std::byte *bytes);
  /// To be called when a pin or a fetch of \p page has ended; harmless at any other time.
  void settle(Page &page);
  /// Lets its sectors be read without the mutex, as far as Page::open allows. To be called when
  /// what that says has changed.
  void open(Page &page);
  /// Tells the others what is on its way into it. To be called when that has changed.
  static void tellComing(Page &page);

  // ---- without the mutex ----
  /// A page that may be the one looked for, the \p way-th of OpenPages::kWays; or null.
  Page *findOpen(const CachedFile &file, std::uint64_t index, unsigned way) const {
    return openPages_.find(file, index, way);
  }
  /// As `touch`. True if it is time for `applyTouches`, with the mutex.
  bool touchLater(const Page &page) { return touches_.add(page.slot); }
  void applyTouches();

  /// Of the first word's sectors, those that lie before the known end of the file.
  SectorSet::Word wholeSectors(const Page &page) const;
  /// Bytes of the file that lie in \p sector.
  std::uint64_t bytesIn(const CachedFile &file, std::uint64_t index, unsigned sector) const;

private:
  /// With what was read without the mutex told to it.
  Policy &policy() {
    applyTouches();
    return *policy_;
  }
  /// From here on nobody pins it but with the mutex, until it is opened again.
  static void close(Page &page);
  Page &pageOf(Slot slot) { return *reinterpret_cast<Page *>(&places_[slot]); }
  std::size_t freeFrames() const {
    return free_.size() + (pool_ == nullptr ? frames_ - pagesMade_ : 0);
  }
  Page &takeFrame();
  Page &pageMade(Slot slot);
  void takeFromPool(std::size_t count);
  void payBack(const Policy::Busy &kept);
  void evict(Page &page);
  void sweepLingering();
  void openToOthers(Page &page, SectorSet::Word whole);
  void countUseless(Page &page, SectorRange sectors);
  void countLent(const Page &page);
  void recycle(Page &page);
  SectorRange allSectors() const { return {0, geometry_.sectorsPerPage()}; }

  const Geometry geometry_;
  Gone gone_;
  NodePool *const pool_;
  const std::size_t frames_;
  const std::unique_ptr<FrameRegion> region_; ///< null: there is a pool
  struct alignas(Page) Place {
    std::array<std::byte, sizeof(Page)> bytes;
  };
  ZeroedArray<Place> places_; ///< a page for each frame that was ever used, in order of the slots
  std::size_t pagesMade_ = 0; ///< so many of them; with a pool they have gaps between them
  std::vector<bool> isMade_;  ///< with a pool: which
  std::vector<Page *> free_;  ///< of those made; has room for all
  std::vector<Page *> lingering_;
  std::deque<std::pair<Sequence, Slot>> wanted_; ///< of others, in rising order of the sequence
  bool keepsFrames_ = false;                     ///< what becomes free is for its next page
  std::size_t maxUsed_ = 0;                      ///< at once
  std::unique_ptr<Policy> policy_;
  std::deque<std::pair<Sequence, Slot>> announced_; ///< in rising order of the sequence
  std::vector<Slot> chosen_;                        ///< makeRoom's, kept for its memory
  OpenPages openPages_;                             ///< every open page, but for collisions
  Touches touches_;
};

} // namespace forerun

#endif

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Geometry.h"
#include "base/Mapping.h"
#include "base/Timeout.h"
#include "forerun/ZeroedArray.h"
#include "pages/CachedFile.h"
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
/// evicted next, and which announced reads are still to come. If the cache is a member of a pool,
/// the frames are the pool's: free ones are given back, and other members are told what is in the
/// rest.
///
/// Invariants
///  - A frame is free, or holds a page that is found through its file, or an orphan.
///  - The policy knows exactly the pages that can be found, each with the first of its uses.
///  - Only idle pages lose their frame, and only closed ones (Page::open).
///  - Every use that a page holds is also in `announced_`.
///  - Others are told of a page from `add` to `drop`; sectors open to them are present, and closed
///    by `close`.
///  - Frames that others still read when their page is dropped are in `lingering_`.
/// Threads: none of its own; guarded by the cache's mutex unless stated otherwise.

namespace forerun {

/// A part of a file in one page.
struct Piece {
  Page *page; ///< null: not in the cache
  std::uint64_t index;
  ByteRange range;     ///< of the file, within the page
  SectorRange sectors; ///< that it touches

  /// In a pool, or without a page: those that this process neither has nor is fetching.
  Sectors absent() const { return page == nullptr ? bitsOf(sectors) : page->absentBits(sectors); }
};

class PageTable {
public:
  /// Throws std::bad_alloc. Its memory grows with the frames that are used. \p pool: null, or the
  /// source of the frames, which have that size.
  PageTable(std::size_t capacityBytes, std::size_t pageBytes, NodePool *pool);
  ~PageTable();
  PageTable(const PageTable &) = delete;
  PageTable &operator=(const PageTable &) = delete;

  /// \p gone is called for a page shared with other nodes that loses its frame. Throws nothing.
  using Gone = std::function<void(const Page &page)>;
  void tellGone(Gone gone) { gone_ = std::move(gone); }

  bool valid() const { return pool_ != nullptr || region_->base() != nullptr; }
  const Geometry &geometry() const { return geometry_; }
  /// Its own; others may lend more.
  std::size_t frames() const { return frames_; }
  std::size_t maxFramesUsed() const { return maxUsed_; }

  Page *find(const CachedFile &file, std::uint64_t index) const {
    const auto found = file.pages.find(index);
    return found == file.pages.end() ? nullptr : found->second;
  }
  /// The part of \p range in page \p index.
  Piece pieceOf(const CachedFile &file, std::uint64_t index, ByteRange range) const {
    return {find(file, index), index, geometry_.clip(range, index),
            geometry_.touched(range, index)};
  }
  /// Whether \p step, called with pages of \p file in \p range until it returns true, has. It may
  /// drop its page.
  template <typename Step> bool anyIn(const CachedFile &file, ByteRange range, Step step) const {
    const std::uint64_t first = geometry_.firstPage(range), end = geometry_.endPage(range);
    if (end - first <= file.pages.size()) {
      for (std::uint64_t index = first; index < end; ++index)
        if (Page *page = find(file, index); page != nullptr && step(*page))
          return true;
      return false;
    }
    for (auto next = file.pages.begin(); next != file.pages.end();) {
      const auto [index, page] = *next++; // it may be removed
      if (index >= first && index < end && step(*page))
        return true;
    }
    return false;
  }
  /// With a pool: the page in one of its frames, or null.
  const Page *heldIn(Slot slot) { return isMade_[slot] ? &pageOf(slot) : nullptr; }
  void touch(const Page &page) { policy().touch(page.slot); }

  /// Ensures that \p count frames are free for something needed at \p neededAt, evicting pages if
  /// necessary, but none of \p file with a number in [first, endPage). What other members have
  /// announced is evicted only for a reader that waits now, or if they do not read it for long. All
  /// or nothing. False also if there is no memory to find out.
  bool makeRoom(std::size_t count, Sequence neededAt, const CachedFile &file, std::uint64_t first,
                std::uint64_t endPage);
  /// Gives a free frame to an absent page; makeRoom has been called. Null: no memory.
  Page *add(CachedFile &file, std::uint64_t index);

  /// The page will be read as number \p use; forgotten if there is no memory to record it.
  void announce(Page &page, Sequence use);
  /// True if \p count more uses may be announced: bounds their memory.
  bool mayAnnounce(std::size_t count) const;
  /// Every use up to \p last is over.
  void retire(Sequence last);
  /// Uses from \p first to \p last will not occur. \p unused gets each page that has no other.
  using Unused = std::function<void(const Page &page)>;
  void withdraw(Sequence first, Sequence last, const Unused &unused);
  /// The program will read what is in another member's frame as number \p use: its holder keeps it
  /// until then, if it can.
  void want(Slot slot, Sequence use);

  /// The page can no longer be found. Its frame is free now or, if in use, when that ends.
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
  /// what determines that has changed.
  void open(Page &page);

  // ---- without the mutex ----
  /// A page that may be the one looked for, the \p way-th of OpenPages::kWays; or null.
  Page *findOpen(const CachedFile &file, std::uint64_t index, unsigned way) const {
    return openPages_.find(file, index, way);
  }
  /// Like `touch`. True if it is time for `applyTouches`, with the mutex.
  bool touchLater(const Page &page) { return touches_.add(page.slot); }
  void applyTouches();

  /// Of the first word's sectors, those that lie before the known end of the file.
  Sectors wholeSectors(const Page &page) const;
  /// Bytes of the file that lie in \p sector.
  std::uint64_t bytesIn(const CachedFile &file, std::uint64_t index, unsigned sector) const;

private:
  /// The policy, after it has been told what was read without the mutex.
  Policy &policy() {
    applyTouches();
    return *policy_;
  }
  /// From here on it is pinned only with the mutex, until it is opened again.
  static void close(Page &page);
  Page &pageOf(Slot slot) { return *reinterpret_cast<Page *>(&places_[slot]); }
  std::size_t freeFrames() const {
    return free_.size() + (pool_ == nullptr ? frames_ - pagesMade_ : 0);
  }
  Page &pageMade(Slot slot);
  void takeFromPool(std::size_t count);
  void payBack(const Policy::Busy &kept);
  void evict(Page &page);
  /// Counts what of the sectors was fetched ahead and not read by the program, or, of \p lent, by
  /// guests, for whose fetches that is not known: as useful if others have read it.
  void countUnread(Page &page, SectorRange sectors, Sectors lent);
  void recycle(Page &page);

  const Geometry geometry_;
  Gone gone_;
  NodePool *const pool_;
  const std::size_t frames_;
  const std::unique_ptr<Mapping> region_; ///< null: there is a pool
  struct alignas(Page) Place {
    std::array<std::byte, sizeof(Page)> bytes;
  };
  ZeroedArray<Place> places_; ///< a page for each frame ever used, in order of the slots
  std::size_t pagesMade_ = 0; ///< how many; with a pool they have gaps between them
  std::vector<bool> isMade_;  ///< which ones
  std::vector<Page *> free_;  ///< of those made; has room for all
  std::vector<Page *> lingering_;
  std::deque<std::pair<Sequence, Slot>> wanted_; ///< of others, in ascending order of the sequence
  Timeout withLenders_;                          ///< whose frames hold what is announced
  Timeout withReaders_;      ///< who have announced what is in frames that are needed here
  bool keepsFrames_ = false; ///< a frame that becomes free is for its next page
  std::size_t maxUsed_ = 0;  ///< at once
  std::unique_ptr<Policy> policy_;
  std::deque<std::pair<Sequence, Slot>> announced_; ///< in ascending order of the sequence
  std::vector<Slot> chosen_;                        ///< makeRoom's, kept for its memory
  OpenPages openPages_;                             ///< every open page, except for collisions
  Touches touches_;
};

} // namespace forerun

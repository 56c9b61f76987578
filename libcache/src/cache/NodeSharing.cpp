// SPDX-License-Identifier: Apache-2.0
#include "cache/Sharing.h"

#include <bit>
#include <utility>

/// \file
/// A cache that is a member of a pool: it reads what others hold in their frames, and fetches only
/// what nobody holds or fetches.

namespace forerun {

namespace {

/// \p sectors of page \p index, as new as this process has to see them.
NodePool::Wanted wanted(const CachedFile &file, std::uint64_t index, Sectors sectors) {
  return {file.pageKey(index), sectors, file.own.afterNs(index)};
}

class NodeSharing final : public Sharing {
public:
  NodeSharing(bool isAmongNodes, std::unique_ptr<NodePool> pool, PageTable &table,
              FetchBook &fetches)
      : Sharing(isAmongNodes), pool_(std::move(pool)), table_(table), fetches_(fetches) {}

  NodePool *pool() const override { return pool_.get(); }
  void tellWaiters(const Page &page) override { pool_->tellWaiters(page.slot); }
  /// What others do with this process's frames is not reported here.
  std::chrono::milliseconds untilFrameIdle() const override { return std::chrono::milliseconds(1); }

  Sectors others(const CachedFile &file, const Piece &piece, Sequence use) const override {
    Sectors found = 0;
    const Sectors absent = piece.absent();
    while ((absent & ~found) != 0) {
      const NodePool::Found more = pool_->find(wanted(file, piece.index, absent & ~found));
      if (more.all() == 0)
        break;
      if (use != 0)
        table_.want(more.slot, use);
      found |= more.all();
    }
    return found;
  }

  bool isHosted(const CachedFile &file, std::uint64_t index) const override {
    return pool_->isHosted(wanted(file, index, 0));
  }

  bool leave(std::optional<Claim> &claim, CachedFile &file, const Piece &piece,
             Purpose &purpose) override {
    claim.emplace(*pool_, file.pageKey(piece.index));
    const Sectors found = others(file, piece, purpose.sequence);
    file.stats.savedBytes += static_cast<unsigned>(std::popcount(found)) * kSectorBytes;
    purpose.others = found;
    Sectors nobodys = piece.absent() & ~found;
    if (piece.page != nullptr)
      return false;
    const NodePool::Taken taken = fetchAsGuest(file, piece.index, nobodys, purpose);
    if (taken.sectors != 0 && purpose.sequence != 0)
      table_.want(taken.slot, purpose.sequence);
    purpose.others |= taken.sectors;
    return (nobodys & ~taken.sectors) == 0;
  }

  bool isTheirs(std::optional<Claim> &claim, CachedFile &file, const Piece &piece,
                const Purpose &purpose) override {
    claim.emplace(*pool_, file.pageKey(piece.index));
    if (others(file, piece, 0) != 0)
      return true;
    const Sectors absent = piece.absent();
    return piece.page == nullptr && fetchAsGuest(file, piece.index, absent, purpose).sectors != 0;
  }

  void endGuest(const Fetch &fetch, ByteRange brought) override {
    const Geometry &geometry = table_.geometry();
    const SectorRange opened =
        brought.empty() ? SectorRange{} : geometry.inside(brought, geometry.firstPage(brought));
    const bool isThere = pool_->endGuest(fetch.host, bitsOf(fetch.sectors), bitsOf(opened));
    fetches_.endGuest(fetch, isThere ? (opened.last - opened.first) * kSectorBytes : 0);
  }

  void hasten() override {
    while (const std::optional<Slot> slot = pool_->hastened()) {
      if (const Page *page = table_.heldIn(*slot))
        fetches_.raise(*page, {0, table_.geometry().sectorsPerPage()});
      fetches_.raiseGuests(*slot);
    }
  }

  bool hit(CachedFile &file, void *buffer, ByteRange range) const override {
    const Geometry &geometry = table_.geometry();
    const std::uint64_t index = geometry.firstPage(range);
    if (geometry.endPage(range) != index + 1 || range.end > file.plainEnd())
      return false;
    const NodePool::Wanted what = wanted(file, index, bitsOf(geometry.touched(range, index)));
    const NodePool::Found found = pool_->find(what);
    if (found.open != what.sectors ||
        !pool_->read(found.slot, what, geometry.inPage(range.begin), buffer, range.length()))
      return false;
    file.hitsWithoutMutex.add(range.length());
    file.hitsElsewhere.add(range.length());
    return true;
  }

  bool find(const Reading &reading, Elsewhere &there) const override {
    const CachedFile &file = reading.file;
    const ByteRange rest = reading.rest();
    if (rest.empty() || file.bypasses(rest))
      return false;
    const Piece piece = table_.pieceOf(file, table_.geometry().firstPage(rest), rest);
    const Sectors absent = piece.absent();
    const Sectors first = Sectors{1} << piece.sectors.first;
    if (piece.index == reading.givenUp || (absent & first) == 0)
      return false;
    there.slot = pool_->find(wanted(file, piece.index, first)).slot;
    const NodePool::Found found = pool_->look(there.slot, wanted(file, piece.index, absent));
    there.comes = (found.open & first) == 0;
    const Sectors has = there.comes ? found.all() : found.open;
    if ((has & first) == 0)
      return false;
    const SectorRange run = firstRunOf(has);
    there.wanted = wanted(file, piece.index, bitsOf(run));
    there.range = piece.range;
    if (run.last < piece.sectors.last)
      there.range.end = table_.geometry().sectorBegin(piece.index, run.last);
    fetches_.raiseGuests(there.slot);
    return true;
  }

  void take(const Elsewhere &there, Reading &reading) const override {
    const Geometry &geometry = table_.geometry();
    if ((there.comes && !pool_->await(there.slot, there.wanted)) ||
        !pool_->read(there.slot, there.wanted, geometry.inPage(there.range.begin), reading.next(),
                     there.range.length(), &reading.faulted)) {
      reading.givenUp = geometry.firstPage(there.range);
      return;
    }
    if (there.comes)
      reading.result.outcome = Outcome::Late;
    reading.result.bytes += there.range.length();
    reading.result.fromOthers += there.range.length();
    if (reading.program)
      reading.file.hitsElsewhere.add(there.range.length());
  }

  bool copy(const CachedFile &file, std::uint64_t index, unsigned sector,
            std::byte *to) const override {
    const NodePool::Wanted one = wanted(file, index, Sectors{1} << sector);
    const NodePool::Found found = pool_->find(one);
    return found.open != 0 &&
           pool_->read(found.slot, one, std::size_t{sector} * kSectorBytes, to, kSectorBytes);
  }

private:
  /// Has what nobody has of \p sectors fetched into the frame that another member has for the page.
  /// Returns what comes where.
  NodePool::Taken fetchAsGuest(CachedFile &file, std::uint64_t index, Sectors sectors,
                               const Purpose &purpose) {
    if (sectors == 0)
      return {};
    const NodePool::Taken taken = pool_->beGuest(wanted(file, index, sectors));
    if (taken.sectors == 0)
      return taken;
    for (Sectors left = taken.sectors; left != 0;) {
      const SectorRange run = firstRunOf(left);
      left &= ~bitsOf(run);
      pool_->pin(taken.slot);
      if (!fetches_.planAsGuest(file, index, taken.slot, pool_->frame(taken.slot), run, purpose))
        (void)pool_->endGuest(taken.slot, bitsOf(run), 0); // there is no memory
    }
    pool_->unpin(taken.slot);
    return taken;
  }

  const std::unique_ptr<NodePool> pool_;
  PageTable &table_;
  FetchBook &fetches_;
};

} // namespace

std::unique_ptr<Sharing> makeNodeSharing(bool isAmongNodes, std::unique_ptr<NodePool> pool,
                                         PageTable &table, FetchBook &fetches) {
  return std::make_unique<NodeSharing>(isAmongNodes, std::move(pool), table, fetches);
}

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_NODESHARING_H
#define FORERUN_NODESHARING_H

#include "cache/Sharing.h"
#include "pages/PageTable.h"

#include <memory>

/// \file
/// A cache that is a member of a pool: it reads what others hold in their frames, and fetches only
/// what nobody holds or fetches.

namespace forerun {

class NodeSharing final : public Sharing {
public:
  NodeSharing(bool isAmongNodes, std::unique_ptr<NodePool> pool, PageTable &table,
              FetchBook &fetches)
      : Sharing(isAmongNodes), pool_(std::move(pool)), table_(table), fetches_(fetches) {}

  NodePool *pool() const override { return pool_.get(); }
  Sectors others(const CachedFile &file, const Piece &piece, Sequence use) const override;
  bool isHosted(const CachedFile &file, std::uint64_t index) const override;
  bool leave(std::optional<Claim> &claim, CachedFile &file, const Piece &piece,
             Purpose &purpose) override;
  bool isTheirs(std::optional<Claim> &claim, CachedFile &file, const Piece &piece,
                const Purpose &purpose) override;
  void endGuest(const Fetch &fetch, ByteRange brought) override;
  void hasten() override;
  void tellWaiters(const Page &page) override { pool_->tellWaiters(page.slot); }
  /// What others do with this process's frames is not reported here.
  std::chrono::milliseconds untilFrameIdle() const override { return std::chrono::milliseconds(1); }
  bool hit(CachedFile &file, void *buffer, ByteRange range) const override;
  bool find(const Reading &reading, Elsewhere &there) const override;
  void take(const Elsewhere &there, Reading &reading) const override;
  bool copy(const CachedFile &file, std::uint64_t index, unsigned sector,
            std::byte *to) const override;

private:
  NodePool::Taken fetchAsGuest(CachedFile &file, std::uint64_t index, Sectors sectors,
                               const Purpose &purpose);

  const std::unique_ptr<NodePool> pool_;
  PageTable &table_;
  FetchBook &fetches_;
};

} // namespace forerun

#endif

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "peers/PeerMessage.h"

/// \file
/// Which rank is the home of a page: the one whose directory knows who has it.

namespace forerun {

class Placement {
public:
  virtual ~Placement() = default;
  virtual Rank homeOf(const PeerPage &page) const = 0;
};

/// Block after block of pages to rank after rank. What is announced together mostly lies together,
/// and goes to few homes in few packets; any part of a file that is read is spread evenly, except
/// parts of less than a block per rank. Ranges that follow what is read must be learnt, agreed on
/// and moved, and are no better (`libcache_peers_simulation`, in libcache/README.md).
class BlockCyclic final : public Placement {
public:
  static constexpr std::uint64_t kPagesOfBlock = 32;

  explicit BlockCyclic(Rank ranks, std::uint64_t pagesOfBlock = kPagesOfBlock)
      : ranks_(ranks), pagesOfBlock_(pagesOfBlock) {}
  Rank homeOf(const PeerPage &page) const override {
    return static_cast<Rank>((page.index / pagesOfBlock_ + page.file) % ranks_);
  }

private:
  Rank ranks_;
  std::uint64_t pagesOfBlock_;
};

} // namespace forerun

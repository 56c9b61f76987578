// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PAGEDIRECTORY_H
#define FORERUN_PAGEDIRECTORY_H

#include "peers/PeerMessage.h"

#include <cstddef>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

/// \file
/// Who has which sectors of the pages that a rank is the home of. All that stands here is a hint: who
/// is named may have dropped the page, and what is forgotten here is only fetched once more.
///
/// Invariant: who stands here has the sectors, fetches them from the storage, or had them. Nobody
/// stands here for what he awaits from another: so nobody ever waits for who waits.
///
/// The idea of a directory spread over those who share the cache is of Liao et al., "Collective
/// Caching: Application-aware Client-side File Caching" (HPDC'05).
/// Threads: one.

namespace forerun {

class PageDirectory {
public:
  using Sectors = PeerMessage::Sectors;
  /// Of pages. When there are more, the oldest are forgotten.
  explicit PageDirectory(std::size_t capacity) : capacity_(capacity) {}

  struct Part {
    Rank holder; ///< who wants it himself: he is to take it from the storage
    Sectors sectors;
  };
  /// Where \p from gets \p sectors, asked of the storage in \p epoch or later. What nobody has is
  /// the asker's to fetch, and noted as his. Valid until the next call.
  std::span<const Part> want(const PeerPage &page, Rank from, std::uint32_t epoch, Sectors sectors);
  /// Who has something of \p sectors, but for \p from; valid until the next call.
  std::span<const Part> holders(const PeerPage &page, Rank from, Sectors sectors);
  void have(const PeerPage &page, Rank rank, std::uint32_t epoch, Sectors sectors);
  void drop(const PeerPage &page, Rank rank, Sectors sectors);
  void forget(std::uint32_t file);

  std::size_t size() const { return pages_.size(); }

private:
  static constexpr std::size_t kHolders = 8; ///< of a page; more than enough to share its load

  struct Holder {
    Rank rank;
    std::uint32_t epoch; ///< in which he asked the storage for all of them, or later
    Sectors sectors;
    unsigned given = 0; ///< how often he was asked: who gave least is asked next
  };
  using Holders = std::vector<Holder>; ///< none without sectors, no rank twice

  static void note(Holders &holders, const Holder &holder);
  Holders &holdersOf(const PeerPage &page);

  const std::size_t capacity_;
  std::unordered_map<PeerPage, Holders, PeerPageHash> pages_;
  std::deque<PeerPage> byAge_; ///< each page at least once; some that are gone
  std::vector<Part> parts_;
};

} // namespace forerun

#endif

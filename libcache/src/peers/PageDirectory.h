// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "peers/PeerMessage.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

/// \file
/// Who has which sectors of the pages whose home is this rank. All entries are hints: a rank in it
/// may have dropped the page, and what is forgotten here is only fetched once more.
///
/// Invariants
///  - A rank in it has the sectors, fetches them from the storage, or had them. No rank is in it
///    for what it awaits from another: so nobody ever waits for a rank that waits.
///  - A few at a time ask a holder for a page. A rank that comes while all are busy waits here
///    until one of them has it and can give it: a page that all want at once spreads as by a tree.
///
/// The idea of a directory spread over those that share the cache is from Liao et al., "Collective
/// Caching: Application-aware Client-side File Caching" (HPDC'05).
/// Threads: one.

namespace forerun {

class PageDirectory {
public:
  /// \p capacity: in pages. Beyond that, the oldest are forgotten.
  explicit PageDirectory(std::size_t capacity, unsigned givesAtOnce = 4)
      : capacity_(capacity), givesAtOnce_(givesAtOnce) {}

  struct Part {
    Rank holder; ///< if the asker itself: it is to take them from the storage
    Sectors sectors;
  };
  /// Where \p from gets the sectors of \p want (a Want). What nobody has is noted as the asker's to
  /// fetch; for what only busy holders have, the asker waits here. Valid until the next call.
  std::span<const Part> want(Rank from, const PeerMessage &want);
  /// A rank that waits for the page, to be handled again now that something has changed.
  std::optional<PeerMessage> nextWaiting(const PeerPage &page);
  /// Who has any of \p sectors, except \p from; valid until the next call.
  std::span<const Part> holders(const PeerPage &page, Rank from, Sectors sectors);
  /// \p rank has got \p sectors, perhaps none useful to it, from \p giver.
  void have(const PeerPage &page, Rank rank, std::uint32_t epoch, Sectors sectors, Rank giver);
  void drop(const PeerPage &page, Rank rank, Sectors sectors);
  /// \p rank was asked to give, and had nothing.
  void gaveNothing(const PeerPage &page, Rank rank);

  std::size_t size() const { return pages_.size(); }

private:
  static constexpr std::size_t kHolders = 8; ///< of a page; more than enough to share its load

  struct Holder {
    Rank rank;
    std::uint32_t epoch; ///< in which, or after which, it requested all of them from the storage
    Sectors sectors;
    unsigned given = 0;  ///< how often it was asked: the one that gave least is asked next
    unsigned giving = 0; ///< was asked, and no arrival has been reported yet
  };
  using Holders = std::vector<Holder>; ///< none without sectors, no rank twice
  struct Entry {
    Holders holders;
    std::deque<PeerMessage> waiting; ///< Wants
  };

  static void note(Holders &holders, const Holder &holder);
  Entry &entryOf(const PeerPage &page);
  void forgetOldest(const PeerPage &page);

  const std::size_t capacity_;
  const unsigned givesAtOnce_;
  std::unordered_map<PeerPage, Entry, PeerPageHash> pages_;
  std::deque<PeerPage> byAge_; ///< each page at least once; some that are gone
  std::vector<Part> parts_;
};

} // namespace forerun

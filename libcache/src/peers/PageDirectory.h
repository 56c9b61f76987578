// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PAGEDIRECTORY_H
#define FORERUN_PAGEDIRECTORY_H

#include "peers/PeerMessage.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

/// \file
/// Who has which sectors of the pages that a rank is the home of. All that stands here is a hint: who
/// is named may have dropped the page, and what is forgotten here is only fetched once more.
///
/// Invariants
///  - Who stands here has the sectors, fetches them from the storage, or had them. Nobody
///    stands here for what he awaits from another: so nobody ever waits for who waits.
///  - A holder is asked for a page by a few at a time. Who comes while all are busy waits here, until
///    one of those few has it, and can give it, too: a page that all want at once spreads as by a tree.
///
/// The idea of a directory spread over those who share the cache is of Liao et al., "Collective
/// Caching: Application-aware Client-side File Caching" (HPDC'05).
/// Threads: one.

namespace forerun {

class PageDirectory {
public:
  using Sectors = PeerMessage::Sectors;
  /// \p capacity: of pages. When there are more, the oldest are forgotten.
  explicit PageDirectory(std::size_t capacity, unsigned givesAtOnce = 4)
      : capacity_(capacity), givesAtOnce_(givesAtOnce) {}

  struct Part {
    Rank holder; ///< who wants it himself: he is to take it from the storage
    Sectors sectors;
  };
  /// Where \p from gets the sectors of \p want (a Want). What nobody has is the asker's to fetch, and
  /// noted as his; for what only busy holders have he waits here. Valid until the next call.
  std::span<const Part> want(Rank from, const PeerMessage &want);
  /// Somebody who waits for the page, to be asked for again, now that something has changed.
  std::optional<PeerMessage> nextWaiting(const PeerPage &page);
  /// Who has something of \p sectors, but for \p from; valid until the next call.
  std::span<const Part> holders(const PeerPage &page, Rank from, Sectors sectors);
  /// \p rank has got \p sectors, maybe none of use to him, from \p giver.
  void have(const PeerPage &page, Rank rank, std::uint32_t epoch, Sectors sectors, Rank giver);
  void drop(const PeerPage &page, Rank rank, Sectors sectors);
  /// \p rank was asked to give, and had nothing.
  void gaveNothing(const PeerPage &page, Rank rank);

  std::size_t size() const { return pages_.size(); }

private:
  static constexpr std::size_t kHolders = 8; ///< of a page; more than enough to share its load

  struct Holder {
    Rank rank;
    std::uint32_t epoch; ///< in which he asked the storage for all of them, or later
    Sectors sectors;
    unsigned given = 0;  ///< how often he was asked: who gave least is asked next
    unsigned giving = 0; ///< has been asked, and nobody has told that it has come
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

#endif

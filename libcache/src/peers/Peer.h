// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Geometry.h"
#include "peers/PageDirectory.h"
#include "peers/PeerMessage.h"
#include "peers/Placement.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

/// \file
/// One rank's part in a cache that spans nodes: the protocol, without threads, its own time, or
/// storage. A peer is home of a share of the pages, holder of what it has fetched, and wants what
/// others have.
///
///     who wants  --Want-->  home  --Give-->  holder  --Bytes, Lack-->  who wants
///                <--Take--       <--Have-- (who wants, with the next Want)
///
/// At most two exchanges until the bytes are there or the storage is asked; the storage is asked by
/// a rank that is told to Take, gets a Lack, or has waited too long. Bytes stay with the rank that
/// fetched them, and with those that got them from there.
///
/// Trust. An epoch of a file that several nodes share begins on all of them together: the call that
/// begins it contains a barrier. A rank that asks the storage in epoch n or later does so after all
/// have begun epoch n. So by MPI-IO's rules of consistency its bytes are as new as what a reader in
/// epoch n would get from the storage, except for the reader's own writes in it, after which it
/// asks nobody until the next epoch.
///
/// Invariants
///  - A rank that gives waits at most for the storage, never for another peer. A rank that waits at
///    a home for a busy holder waits for bytes that are on their way to others.
///  - Each wanted sector ends in exactly one `arrived` or `fetch`, unless the want is forgotten
///    before. `fetch` ends in `fetched`.
///  - A message that comes twice, late, or for a want that is over, has no effect.
///
/// Threads: one.

namespace forerun {

using WantNumber = std::uint32_t;

class Peer {
public:
  /// What the protocol needs from its surroundings. None of it may call back into the peer.
  class Surroundings {
  public:
    virtual ~Surroundings() = default;
    /// In order to each receiver. \p bytes: for the one message that has any.
    virtual void send(Rank to, std::span<const PeerMessage> messages, PeerBytes bytes) = 0;
    /// Copies what is present of \p sectors, if requested from the storage in \p epoch or later,
    /// one after the other, to where there is room for all. Returns which.
    virtual Sectors copy(const PeerPage &page, std::uint32_t epoch, Sectors sectors,
                         std::byte *to) = 0;
    /// To be requested from the storage.
    virtual void fetch(WantNumber want, Sectors sectors) = 0;
    /// Somebody waits for what it fetches.
    virtual void hasten(WantNumber want) = 0;
    virtual void arrived(WantNumber want, Sectors sectors, std::span<const std::byte> bytes) = 0;
  };

  struct Counts {
    std::uint64_t wants = 0, takes = 0, gives = 0, lacks = 0, arrivals = 0, givenUp = 0;
    std::uint64_t messages = 0, packets = 0; ///< sent; without those to itself
    std::uint64_t bytes = 0;                 ///< of pages, sent
  };

  Peer(Rank self, const Placement &placement, PageDirectory directory, Surroundings &surroundings);
  Peer(const Peer &) = delete;
  Peer &operator=(const Peer &) = delete;

  // ---- who wants ----
  /// At \p now (any clock). Numbers are the caller's, none in use twice.
  void want(WantNumber number, const PeerPage &page, std::uint32_t epoch, Sectors sectors,
            bool urgent, std::uint64_t now);
  void raise(WantNumber number, std::uint64_t now); ///< a read waits for it
  /// What `fetch` asked for has come, or not: those that wait for it get what there is.
  void fetched(WantNumber number, Sectors sectors);
  /// What has not come is to be fetched from the storage, if a read has waited for it since before
  /// \p urgentSince, or it was wanted before \p since. A home that was asked before \p since and
  /// has not been heard from is asked for nothing until it is: it is stopped, or dead.
  void giveUp(std::uint64_t urgentSince, std::uint64_t since);
  bool anyWanted() const { return !wants_.empty(); }

  // ---- who holds ----
  void drop(const PeerPage &page, Sectors sectors);

  // ---- all ----
  void receive(Rank from, std::span<const PeerMessage> messages, std::span<const std::byte> bytes);
  /// Sends what has accumulated: one packet per receiver.
  void flush();

  const Counts &counts() const { return counts_; }
  const PageDirectory &directory() const { return directory_; }

private:
  struct Want {
    PeerPage page;
    std::uint32_t epoch;
    Sectors asked; ///< not answered yet
    Sectors taken; ///< from the storage, being fetched
    bool urgent;
    std::uint64_t since; ///< when it was wanted, or a read began to wait
  };
  /// A rank to which what this peer fetches is given.
  struct Waiting {
    Rank rank;
    WantNumber want; ///< its number
    std::uint32_t epoch;
    Sectors sectors;
  };

  void post(Rank to, const PeerMessage &message);
  void heard(Rank from);
  void handle(Rank from, const PeerMessage &message, std::span<const std::byte> bytes);
  void handleWant(Rank from, const PeerMessage &message);
  void handleHurry(Rank from, const PeerMessage &message);
  void handleGive(const PeerMessage &message);
  void goOnWithWaiting(const PeerPage &page);
  void handleBytes(Rank from, const PeerMessage &message, std::span<const std::byte> bytes);
  Sectors comingOf(const PeerMessage &message);
  void take(WantNumber number, Sectors sectors);
  void give(const PeerPage &page, const Waiting &to);
  void endIfDone(WantNumber number);

  const Rank self_;
  const Placement &placement_;
  Surroundings &surroundings_;
  PageDirectory directory_;
  std::unordered_map<WantNumber, Want> wants_;
  /// Homes that have been asked and not heard from since: when they were first asked.
  std::unordered_map<Rank, std::uint64_t> unheard_;
  std::unordered_set<Rank> silent_; ///< those of them that are asked for nothing
  /// For pages of which this peer fetches something from the storage: its wants.
  std::unordered_multimap<PeerPage, WantNumber, PeerPageHash> fetching_;
  std::unordered_multimap<PeerPage, Waiting, PeerPageHash> waiting_;
  std::map<Rank, std::vector<PeerMessage>> outbox_;
  Counts counts_;
};

} // namespace forerun

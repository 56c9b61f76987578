// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PEER_H
#define FORERUN_PEER_H

#include "base/Geometry.h"
#include "peers/PageDirectory.h"
#include "peers/PeerBytes.h"
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
/// One rank's part in a cache that spans nodes: the protocol, without threads, time of its own, or
/// storage. It is home of a share of the pages, holder of what it has fetched, and wants what others
/// have.
///
///     who wants  --Want-->  home  --Give-->  holder  --Bytes, Lack-->  who wants
///                <--Take--       <--Have-- (who wants, with the next Want)
///
/// Two exchanges at most until the bytes are there or the storage is asked; the storage is asked by
/// who is told to Take, who gets a Lack, and who has waited too long. Bytes stay with who fetched
/// them, and with who got them from there.
///
/// Trust. An epoch of a file that several nodes share begins on all of them together: there is a
/// barrier in the call that begins it. Who asks the storage in epoch n or later does so after
/// everybody has begun epoch n. So by MPI-IO's rules of consistency his bytes are as new as what who
/// reads in epoch n would get from the storage; but for the reader's own writes in it, after
/// which he asks nobody until the next.
///
/// Invariants
///  - Who gives waits for the storage at most, never for another peer. Who waits at a home for a
///    busy holder waits for bytes that are on their way to others.
///  - Each sector that is wanted ends in exactly one `arrived` or `fetch`, unless the want is
///    forgotten before. `fetch` ends in `fetched`.
///  - A message that comes twice, late, or for a want that is over, does nothing.
///
/// Threads: one.

namespace forerun {

using WantNumber = std::uint32_t;

class Peer {
public:
  using Sectors = PeerMessage::Sectors;

  /// What the protocol needs of what is around it. Nothing of it may call back into the peer.
  class Surroundings {
  public:
    virtual ~Surroundings() = default;
    /// In order to each receiver. \p bytes: of the one message that has any.
    virtual void send(Rank to, std::span<const PeerMessage> messages, PeerBytes bytes) = 0;
    /// Copies what is present of \p sectors, bytes asked of the storage in \p epoch or later, one
    /// behind the other, to where there is room for all. Returns which.
    virtual Sectors copy(const PeerPage &page, std::uint32_t epoch, Sectors sectors,
                         std::byte *to) = 0;
    /// To be asked of the storage.
    virtual void fetch(WantNumber want, Sectors sectors) = 0;
    /// Somebody waits for what it fetches.
    virtual void hasten(WantNumber want) = 0;
    virtual void arrived(WantNumber want, Sectors sectors, std::span<const std::byte> bytes) = 0;
  };

  struct Counts {
    std::uint64_t wants = 0, takes = 0, gives = 0, lacks = 0, arrivals = 0, givenUp = 0;
    std::uint64_t messages = 0, packets = 0; ///< sent; without those to oneself
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
  /// What `fetch` asked for has come, or not: whoever waits for it gets what there is.
  void fetched(WantNumber number, Sectors sectors);
  /// What has not come is to be fetched from the storage, if a read has waited for it since before
  /// \p urgentSince, or it was wanted before \p since. A home that was asked before \p since
  /// and has not been heard of is asked for nothing until it is: it is stopped, or dead.
  void giveUp(std::uint64_t urgentSince, std::uint64_t since);
  bool anyWanted() const { return !wants_.empty(); }

  // ---- who holds ----
  void drop(const PeerPage &page, Sectors sectors);

  // ---- all ----
  void receive(Rank from, std::span<const PeerMessage> messages, std::span<const std::byte> bytes);
  /// Sends what has gathered: one packet for each receiver.
  void flush();

  const Counts &counts() const { return counts_; }
  const PageDirectory &directory() const { return directory_; }

private:
  struct Want {
    PeerPage page;
    std::uint32_t epoch;
    Sectors asked; ///< not answered yet
    Sectors taken; ///< from the storage, on their way
    bool urgent;
    std::uint64_t since; ///< when it was wanted, or a read began to wait
  };
  /// Somebody to whom is given what this peer fetches.
  struct Waiting {
    Rank rank;
    WantNumber want; ///< his
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
  /// Homes that have been asked and not heard of since: when they were first asked.
  std::unordered_map<Rank, std::uint64_t> unheard_;
  std::unordered_set<Rank> silent_; ///< of those, who are asked for nothing
  /// Of pages of which this peer fetches something from the storage: its wants.
  std::unordered_multimap<PeerPage, WantNumber, PeerPageHash> fetching_;
  std::unordered_multimap<PeerPage, Waiting, PeerPageHash> waiting_;
  std::map<Rank, std::vector<PeerMessage>> outbox_;
  Counts counts_;
};

} // namespace forerun

#endif

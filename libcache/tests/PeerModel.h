// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Geometry.h"
#include "peers/Peer.h"

#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

/// \file
/// Ranks with the library's own protocol between them; everything else is a model: a network in
/// which each pair of ranks has a queue, a storage that counts requests, caches that are maps. The
/// test says what happens next.

namespace forerun {

class PeerModel {
public:
  struct Packet {
    std::vector<PeerMessage> messages;
    std::vector<std::byte> bytes;
  };

  /// A rank: what the protocol sees of it, and what the test asks of it.
  class Node final : public Peer::Surroundings {
  public:
    struct Fetch {
      WantNumber want;
      Sectors sectors;
      std::uint32_t brought; ///< version of the file, that the storage gave
    };
    struct Wanted {
      PeerPage page;
      std::uint32_t epoch, oldest; ///< no older version may come
      Sectors left;
    };

    Node(PeerModel &model, Rank self, const Placement &placement, const PageDirectory &directory)
        : model_(model), self_(self), peer(self, placement, directory, *this) {}

    /// Only what is neither present nor wanted is asked for.
    void want(const PeerPage &page, Sectors sectors) {
      for (const auto &[number, other] : wanted)
        if (other.page == page)
          sectors &= ~other.left;
      for (unsigned sector = 0; sector < 64; ++sector)
        if (present.contains({page.index, sector}))
          sectors &= ~(Sectors{1} << sector);
      if (sectors == 0)
        return;
      wanted[next_] = {page, epoch, atEpoch, sectors};
      peer.want(next_++, page, epoch, sectors, false, model_.now);
      peer.flush();
    }
    /// The storage answers.
    void complete(std::size_t index) {
      const Fetch fetch = fetches.at(index);
      fetches.erase(fetches.begin() + static_cast<std::ptrdiff_t>(index));
      put(fetch.want, fetch.sectors, [&](unsigned) { return fetch.brought; });
      peer.fetched(fetch.want, fetch.sectors);
      peer.flush();
    }
    void evict(std::uint64_t page) {
      Sectors gone = 0;
      for (unsigned sector = 0; sector < 64; ++sector)
        if (present.erase({page, sector}) != 0)
          gone |= Sectors{1} << sector;
      if (gone != 0)
        peer.drop({page, 0}, gone);
      peer.flush();
    }
    /// Once the barrier of a call that begins an epoch has been passed: nothing from before is
    /// trusted.
    void beginEpoch(std::uint32_t versionAtBarrier) {
      ++epoch;
      atEpoch = versionAtBarrier;
      present.clear();
    }

    void send(Rank to, std::span<const PeerMessage> messages, PeerBytes bytes) override {
      model_.channels[{self_, to}].push_back(
          {{messages.begin(), messages.end()}, {bytes.span().begin(), bytes.span().end()}});
    }
    Sectors copy(const PeerPage &page, std::uint32_t at, Sectors sectors, std::byte *to) override {
      Sectors there = 0;
      for (unsigned sector = 0; sector < 64 && epoch >= at; ++sector) {
        const auto found = present.find({page.index, sector});
        if ((sectors >> sector & 1) == 0 || found == present.end())
          continue;
        std::memset(to, 0, kSectorBytes);
        std::memcpy(to, &found->second, sizeof found->second);
        to += kSectorBytes;
        there |= Sectors{1} << sector;
      }
      return there;
    }
    void fetch(WantNumber want, Sectors sectors) override {
      fetches.push_back({want, sectors, model_.version});
      for (unsigned sector = 0; sector < 64; ++sector)
        if ((sectors >> sector & 1) != 0)
          ++model_.asked[{wanted.at(want).page.index, sector}];
    }
    void hasten(WantNumber /*want*/) override { ++hastened; }
    void arrived(WantNumber want, Sectors sectors, std::span<const std::byte> bytes) override {
      const std::byte *at = bytes.data();
      put(want, sectors, [&](unsigned) {
        std::uint32_t brought = 0;
        std::memcpy(&brought, at, sizeof brought);
        at += kSectorBytes;
        return brought;
      });
    }

    std::map<WantNumber, Wanted> wanted;
    std::vector<Fetch> fetches;
    std::map<std::pair<std::uint64_t, unsigned>, std::uint32_t> present; ///< page, sector: version
    std::uint32_t epoch = 0, atEpoch = 0;
    unsigned hastened = 0, stale = 0, unasked = 0;

  private:
    template <typename Brought> void put(WantNumber number, Sectors sectors, Brought broughtOf) {
      const auto found = wanted.find(number);
      if (found == wanted.end() || (sectors & ~found->second.left) != 0) {
        ++unasked;
        return;
      }
      Wanted &want = found->second;
      want.left &= ~sectors;
      for (unsigned sector = 0; sector < 64; ++sector) {
        if ((sectors >> sector & 1) == 0)
          continue;
        const std::uint32_t brought = broughtOf(sector);
        stale += brought < want.oldest ? 1 : 0;
        if (want.epoch == epoch) // else it was outdated in transit
          present[{want.page.index, sector}] = brought;
      }
      if (want.left == 0)
        wanted.erase(found);
    }

    PeerModel &model_;
    const Rank self_;
    WantNumber next_ = 1;

  public:
    Peer peer;
  };

  explicit PeerModel(Rank ranks, const PageDirectory &directory = PageDirectory(1000))
      : placement_(ranks, 1) {
    for (Rank rank = 0; rank < ranks; ++rank)
      nodes.push_back(std::make_unique<Node>(*this, rank, placement_, directory));
  }

  /// The oldest packet from one to another arrives.
  void deliver(Rank from, Rank to) {
    auto &channel = channels.at({from, to});
    const Packet packet = std::move(channel.front());
    channel.pop_front();
    if (channel.empty())
      channels.erase({from, to});
    nodes.at(to)->peer.receive(from, packet.messages, packet.bytes);
    nodes.at(to)->peer.flush();
  }
  /// Until nothing is in transit; in an order chosen by \p random.
  template <typename Random> void settle(Random &random) {
    while (step(random)) {
    }
  }
  /// One packet or fetch, of all that are in transit. False: there is none.
  template <typename Random> bool step(Random &random) {
    std::size_t fetches = 0;
    for (const auto &node : nodes)
      fetches += node->fetches.size();
    if (channels.size() + fetches == 0)
      return false;
    std::size_t chosen = random() % (channels.size() + fetches);
    if (chosen < channels.size()) {
      const auto [from, to] =
          std::next(channels.begin(), static_cast<std::ptrdiff_t>(chosen))->first;
      deliver(from, to);
      return true;
    }
    chosen -= channels.size();
    for (const auto &node : nodes) {
      if (chosen < node->fetches.size()) {
        node->complete(chosen);
        return true;
      }
      chosen -= node->fetches.size();
    }
    return true;
  }

  std::map<std::pair<Rank, Rank>, std::deque<Packet>> channels; ///< none empty
  std::vector<std::unique_ptr<Node>> nodes;
  std::map<std::pair<std::uint64_t, unsigned>, unsigned> asked; ///< of the storage, by sector
  std::uint32_t version = 0;                                    ///< of the file: counts writes
  std::uint64_t now = 0;

private:
  const BlockCyclic placement_;
};

} // namespace forerun

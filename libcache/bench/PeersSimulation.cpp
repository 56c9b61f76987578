// SPDX-License-Identifier: Apache-2.0
// What the protocol between nodes costs, by the number of ranks: the library's own state machines, and
// a network that delivers all packets in the order in which they were sent.
#include "base/Geometry.h"
#include "peers/Peer.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <random>
#include <span>
#include <unordered_set>
#include <vector>

namespace {

using namespace forerun;

constexpr std::uint64_t kPagesEach = 64; ///< that each rank reads, one after the other
constexpr std::uint64_t kReaders = 4;    ///< of a page, on average
constexpr unsigned kBatch = 16;          ///< pages that are announced together
constexpr PeerMessage::Sectors kPage = 0xffff;

class Network;

/// A rank that keeps all that it has got.
class Node final : public Peer::Surroundings {
public:
  Node(Network &network, Rank self, const Placement &placement)
      : peer(self, placement, PageDirectory(1 << 16), *this), network_(network), self_(self) {}

  void want(std::uint64_t page) {
    if (!held_.insert(page).second)
      return;
    pages_.push_back(page);
    peer.want(static_cast<WantNumber>(pages_.size()), {page, 1}, 0, kPage, false, 0);
  }

  void send(Rank to, std::span<const PeerMessage> messages,
            std::span<const std::byte> bytes) override;
  PeerMessage::Sectors copy(const PeerPage & /*page*/, std::uint32_t /*epoch*/,
                            PeerMessage::Sectors sectors, std::byte * /*to*/) override {
    return sectors; // who is asked has it, or is told of it only when it has come
  }
  void fetch(WantNumber want, PeerMessage::Sectors sectors) override;
  void hasten(WantNumber /*want*/) override {}
  void arrived(WantNumber /*want*/, PeerMessage::Sectors /*sectors*/,
               std::span<const std::byte> /*bytes*/) override {}

  Peer peer;
  std::uint64_t received = 0; ///< packets, without those that bring bytes

private:
  Network &network_;
  const Rank self_;
  std::unordered_set<std::uint64_t> held_;
  std::vector<std::uint64_t> pages_; ///< by number of the want
};

class Network {
public:
  explicit Network(Rank ranks) : placement_(ranks) {
    for (Rank rank = 0; rank < ranks; ++rank)
      nodes.push_back(std::make_unique<Node>(*this, rank, placement_));
  }
  void send(Rank from, Rank to, std::span<const PeerMessage> messages, std::size_t bytes) {
    packets_.push_back({from, to, {messages.begin(), messages.end()}, bytes, 0});
  }
  /// The storage takes its time: what it brings comes behind all that is under way.
  void fetch(Rank by, WantNumber want) { packets_.push_back({by, by, {}, 0, want}); }
  void run() {
    for (; !packets_.empty(); packets_.pop_front()) {
      const Packet packet = std::move(packets_.front());
      Node &node = *nodes[packet.to];
      if (packet.fetched != 0)
        node.peer.fetched(packet.fetched, kPage);
      else
        node.peer.receive(packet.from, packet.messages, {});
      node.received += packet.bytes == 0 && packet.fetched == 0 ? 1 : 0;
      node.peer.flush();
    }
  }

  std::vector<std::unique_ptr<Node>> nodes;

private:
  struct Packet {
    Rank from, to;
    std::vector<PeerMessage> messages;
    std::size_t bytes;
    WantNumber fetched; ///< 0: it is a packet
  };
  const RoundRobin placement_;
  std::deque<Packet> packets_;
};

void Node::send(Rank to, std::span<const PeerMessage> messages, std::span<const std::byte> bytes) {
  network_.send(self_, to, messages, bytes.size());
}

void Node::fetch(WantNumber want, PeerMessage::Sectors /*sectors*/) { network_.fetch(self_, want); }

void simulate(Rank ranks, bool isHot) {
  Network network(ranks);
  std::minstd_rand random(ranks);
  const std::uint64_t pages = std::max<std::uint64_t>(ranks * kPagesEach / kReaders, 1);
  for (std::uint64_t done = 0; done < kPagesEach; done += kBatch) {
    for (const auto &node : network.nodes) {
      for (unsigned i = 0; i < kBatch; ++i)
        node->want(random() % pages);
      if (isHot && done == 0)
        node->want(pages); // all read this one
      node->peer.flush();
    }
    network.run();
  }
  Peer::Counts all;
  std::uint64_t mostReceived = 0, sumReceived = 0, mostGiven = 0;
  for (const auto &node : network.nodes) {
    const Peer::Counts &counts = node->peer.counts();
    all.wants += counts.wants;
    all.takes += counts.takes;
    all.gives += counts.gives;
    all.messages += counts.messages;
    all.packets += counts.packets;
    all.bytes += counts.bytes;
    mostReceived = std::max(mostReceived, node->received);
    sumReceived += node->received;
    mostGiven = std::max(mostGiven, counts.gives);
  }
  const auto wants = static_cast<double>(all.wants);
  const double mean = static_cast<double>(sumReceived) / ranks;
  std::printf("%7u  %-8s %11.2f %9.2f %9.2f %9.1f %11.1f %9llu\n", ranks,
              isHot ? "one hot" : "uniform", static_cast<double>(all.takes) / wants,
              static_cast<double>(all.messages) / wants, static_cast<double>(all.packets) / wants,
              static_cast<double>(all.bytes) / wants / 1024,
              mean > 0 ? static_cast<double>(mostReceived) / mean : 0,
              static_cast<unsigned long long>(mostGiven));
}

} // namespace

int main(int argc, char **argv) {
  const auto most = static_cast<Rank>(argc > 1 ? std::atoi(argv[1]) : 100'000);
  std::printf(
      "of each page read:    storage  messages   packets       KiB    busiest/      most\n");
  std::printf(
      "  ranks  pages                             sent                    mean     given\n");
  for (const bool isHot : {false, true})
    for (const Rank ranks : {1U, 4U, 16U, 100U, 1000U, 10'000U, 100'000U})
      if (ranks <= most)
        simulate(ranks, isHot);
  return 0;
}

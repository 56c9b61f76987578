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
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

namespace {

using namespace forerun;

constexpr std::uint64_t kPagesEach = 64; ///< that each rank reads, one after the other
constexpr std::uint64_t kReaders = 4;    ///< of a page, on average
constexpr unsigned kBatch = 16;          ///< pages that are announced together
constexpr Sectors kPage = 0xffff;

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

  void send(Rank to, std::span<const PeerMessage> messages, PeerBytes bytes) override;
  Sectors copy(const PeerPage & /*page*/, std::uint32_t /*epoch*/, Sectors sectors,
               std::byte * /*to*/) override {
    return sectors; // who is asked has it, or is told of it only when it has come
  }
  void fetch(WantNumber want, Sectors sectors) override;
  void hasten(WantNumber /*want*/) override {}
  void arrived(WantNumber /*want*/, Sectors /*sectors*/,
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
  Network(Rank ranks, const Placement &placement) {
    for (Rank rank = 0; rank < ranks; ++rank)
      nodes.push_back(std::make_unique<Node>(*this, rank, placement));
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
  std::deque<Packet> packets_;
};

void Node::send(Rank to, std::span<const PeerMessage> messages, PeerBytes bytes) {
  network_.send(self_, to, messages, bytes.size());
}

void Node::fetch(WantNumber want, Sectors /*sectors*/) { network_.fetch(self_, want); }

void simulate(Rank ranks, bool isHot) {
  const BlockCyclic placement(ranks);
  Network network(ranks, placement);
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

// ---- which rank is the home of which page ----

constexpr Rank kPlacedRanks = 16;
constexpr std::uint64_t kPlacedPages = 65'536;
constexpr unsigned kRun = 4; ///< pages that are read one after the other

/// Each rank has a range of pages: of equal length, or as many as make up an equal share of what
/// a sample of \p keys shows to be read (histogram, its sums, and straight lines between them: Shen
/// and Ding's PD-partition, with the sample of Bai et al., "A Key-based Adaptive Transactional Memory
/// Executor", IPDPS'07).
class Ranges final : public Placement {
public:
  explicit Ranges(const std::vector<std::uint64_t> &keys) {
    constexpr std::size_t kCells = 1024;
    constexpr double kWidth = static_cast<double>(kPlacedPages) / kCells;
    std::vector<double> below(kCells + 1, 0); ///< the share of the keys before a cell
    for (const std::uint64_t key : keys)
      below[static_cast<std::size_t>(static_cast<double>(key) / kWidth) + 1] +=
          1.0 / static_cast<double>(keys.size());
    std::partial_sum(below.begin(), below.end(), below.begin());
    for (Rank rank = 1; rank < kPlacedRanks; ++rank) {
      const double share = static_cast<double>(rank) / kPlacedRanks;
      const auto after = std::ranges::upper_bound(below, share);
      const auto cell = static_cast<double>(after - below.begin() - 1);
      const double part = (share - *(after - 1)) / (*after - *(after - 1));
      ends_.push_back(static_cast<std::uint64_t>((cell + part) * kWidth));
    }
  }
  Rank homeOf(const PeerPage &page) const override {
    return static_cast<Rank>(std::ranges::upper_bound(ends_, page.index) - ends_.begin());
  }

private:
  std::vector<std::uint64_t> ends_;
};

using Keys = std::function<std::uint64_t(std::minstd_rand &)>;

std::uint64_t within(double key) {
  return static_cast<std::uint64_t>(std::clamp(key, 0.0, static_cast<double>(kPlacedPages - 1)));
}

void place(const char *distribution, const Keys &keys, const char *name,
           const Placement &placement) {
  Network network(kPlacedRanks, placement);
  std::minstd_rand random(1);
  std::vector<std::uint64_t> asked(kPlacedRanks);
  for (int turn = 0; turn < 64; ++turn) {
    for (const auto &node : network.nodes) {
      for (unsigned i = 0; i < kBatch / kRun; ++i) {
        const std::uint64_t first = std::min(keys(random), kPlacedPages - kRun);
        for (std::uint64_t page = first; page < first + kRun; ++page) {
          node->want(page);
          ++asked[placement.homeOf({page, 1})];
        }
      }
      node->peer.flush();
    }
    network.run();
  }
  std::uint64_t packets = 0, wants = 0, mostReceived = 0;
  for (const auto &node : network.nodes) {
    packets += node->peer.counts().packets;
    wants += node->peer.counts().wants;
    mostReceived = std::max(mostReceived, node->received);
  }
  const auto all = static_cast<double>(std::accumulate(asked.begin(), asked.end(), 0ULL));
  std::printf("%-12s %-16s %9.2f %9.2f %9.2f\n", distribution, name,
              static_cast<double>(packets) / static_cast<double>(wants),
              static_cast<double>(*std::ranges::max_element(asked)) * kPlacedRanks / all,
              static_cast<double>(wants) / static_cast<double>(mostReceived));
}

void comparePlacements() {
  constexpr double kMiddle = static_cast<double>(kPlacedPages) / 2;
  constexpr double kSpread = static_cast<double>(kPlacedPages) / 16;
  const std::pair<const char *, Keys> distributions[] = {
      {"uniform", [](std::minstd_rand &random) { return random() % kPlacedPages; }},
      {"Gaussian",
       [](std::minstd_rand &random) {
         return within(std::normal_distribution<>(kMiddle, kSpread)(random));
       }},
      {"exponential", [](std::minstd_rand &random) {
         return within(std::exponential_distribution<>(1 / kSpread)(random));
       }}};
  std::printf("\nkeys         homes              packets   busiest     pages\n");
  std::printf("                                  of a page     /mean  a packet\n");
  for (const auto &[distribution, keys] : distributions) {
    std::vector<std::uint64_t> every(kPlacedPages), sample(10'000);
    std::iota(every.begin(), every.end(), 0);
    std::minstd_rand random(2);
    std::ranges::generate(sample, [&draw = keys, &random] { return draw(random); });
    place(distribution, keys, "page by page", BlockCyclic(kPlacedRanks, 1));
    place(distribution, keys, "fixed ranges", Ranges(every));
    place(distribution, keys, "adaptive ranges", Ranges(sample));
    place(distribution, keys, "block-cyclic", BlockCyclic(kPlacedRanks));
  }
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
  comparePlacements();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "runtime/PeersMeeting.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <sys/random.h>
#include <utility>
#include <vector>

namespace forerun {
namespace {

/// The minimum of \p own over all of \p comm.
std::int64_t least(std::int64_t own, MPI_Comm comm) {
  std::int64_t all = 0;
  PMPI_Allreduce(&own, &all, 1, MPI_INT64_T, MPI_MIN, comm);
  return all;
}

/// What \p make makes, or nothing if there is no memory.
template <typename Make> auto orNone(const Make &make) -> decltype(make()) {
  try {
    return make();
  } catch (const std::bad_alloc &) {
    return {};
  }
}

/// What each process tells the others; its address follows.
struct Card {
  std::uint64_t circle = 0; ///< a proposal; that of rank 0 counts
  std::uint64_t length = 0;
  int node = 0;
};

PeersMeeting none(const char *why) {
  return orNone([&] { return PeersMeeting{.peers = nullptr, .whyNone = why}; });
}

Card cardOf(const std::vector<char> &cards, std::size_t each, std::size_t rank) {
  Card card;
  std::memcpy(&card, cards.data() + rank * each, sizeof card);
  return card;
}

/// Those of all, by rank. \p cards: what was gathered, \p each bytes per rank.
std::vector<std::string> addresses(const std::vector<char> &cards, std::size_t each) {
  std::vector<std::string> all;
  all.reserve(cards.size() / each);
  for (std::size_t rank = 0; rank < cards.size() / each; ++rank)
    all.emplace_back(cards.data() + rank * each + sizeof(Card), cardOf(cards, each, rank).length);
  return all;
}

/// A rank on another node, half of all ranks away or after that, so that partners differ.
std::uint32_t partnerOf(int rank, const std::vector<char> &cards, std::size_t each) {
  const std::size_t size = cards.size() / each;
  const auto self = static_cast<std::size_t>(rank);
  const int node = cardOf(cards, each, self).node;
  std::size_t partner = (self + size / 2) % size;
  while (cardOf(cards, each, partner).node == node && partner != self)
    partner = (partner + 1) % size;
  return static_cast<std::uint32_t>(partner);
}

} // namespace

PeersMeeting meetPeers(MPI_Comm comm, int node, const CacheConfig &config) noexcept {
  int rank = 0;
  int size = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  std::string why;
  std::unique_ptr<Peers> own =
      orNone([&] { return Peers::load(static_cast<std::uint32_t>(rank), why); });
  const auto pageBytes = static_cast<std::int64_t>(config.pageBytes);
  std::array<std::int64_t, 4> mine{
      own != nullptr ? 1 : 0, pageBytes, -pageBytes,
      own != nullptr ? -static_cast<std::int64_t>(own->address().size()) : 0};
  std::array<std::int64_t, 4> all{};
  PMPI_Allreduce(mine.data(), all.data(), 4, MPI_INT64_T, MPI_MIN, comm);
  if (all[0] == 0)
    return own == nullptr ? none(why.c_str()) : none("another process cannot reach other nodes");
  if (all[1] != -all[2])
    return none("the caches of other nodes have other pages");
  const std::size_t each = sizeof(Card) + static_cast<std::size_t>(-all[3]);
  std::vector<char> card = orNone([&] { return std::vector<char>(each); });
  std::vector<char> cards =
      orNone([&] { return std::vector<char>(each * static_cast<std::size_t>(size)); });
  const bool isRoom = !card.empty() && !cards.empty();
  if (least(isRoom ? 1 : 0, comm) == 0)
    return none("there is no memory for the addresses of other nodes");
  Card written;
  written.length = own->address().size();
  written.node = node;
  (void)!getrandom(&written.circle, sizeof written.circle, 0);
  written.circle |= 1;
  std::memcpy(card.data(), &written, sizeof written);
  std::ranges::copy(own->address(), card.begin() + sizeof written);
  const auto length = static_cast<int>(each);
  PMPI_Allgather(card.data(), length, MPI_BYTE, cards.data(), length, MPI_BYTE, comm);
  std::memcpy(&written, cards.data(), sizeof written);
  std::vector<std::string> known = orNone([&] { return addresses(cards, each); });
  if (least(known.empty() ? 0 : 1, comm) == 0)
    return none("there is no memory for the addresses of other nodes");
  own->meet(std::move(known), partnerOf(rank, cards, each));
  if (least(orNone([&] { return own->reachesPartner(); }) ? 1 : 0, comm) == 0)
    return none("other nodes cannot be asked: UCX has no network that reaches them and tells who "
                "has ended");
  return {.peers = std::move(own),
          .whyNone = {},
          .circle = written.circle,
          .firstName = static_cast<std::uint64_t>(rank) << 32};
}

} // namespace forerun

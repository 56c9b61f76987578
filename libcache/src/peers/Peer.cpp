// SPDX-License-Identifier: Apache-2.0
#include "peers/Peer.h"

#include "base/Geometry.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace forerun {

Peer::Peer(Rank self, const Placement &placement, PageDirectory directory,
           Surroundings &surroundings)
    : self_(self), placement_(placement), surroundings_(surroundings),
      directory_(std::move(directory)) {}

void Peer::want(WantNumber number, const PeerPage &page, std::uint32_t epoch, Sectors sectors,
                bool urgent, std::uint64_t now) {
  ++counts_.wants;
  wants_[number] = {page, epoch, sectors, 0, urgent, now};
  const Rank home = placement_.homeOf(page);
  if (silent_.contains(home))
    return take(number, sectors);
  if (home != self_)
    unheard_.try_emplace(home, now);
  post(home, {.kind = PeerMessage::Kind::Want,
              .urgent = urgent,
              .rank = self_,
              .want = number,
              .epoch = epoch,
              .page = page,
              .sectors = sectors});
}

void Peer::heard(Rank from) {
  unheard_.erase(from);
  silent_.erase(from);
}

void Peer::raise(WantNumber number, std::uint64_t now) {
  const auto found = wants_.find(number);
  if (found == wants_.end() || found->second.urgent)
    return;
  const Want &want = found->second;
  found->second.urgent = true;
  found->second.since = now;
  if (want.asked != 0)
    post(placement_.homeOf(want.page), {.kind = PeerMessage::Kind::Hurry,
                                        .urgent = true,
                                        .rank = self_,
                                        .epoch = want.epoch,
                                        .page = want.page,
                                        .sectors = want.asked});
}

void Peer::giveUp(std::uint64_t urgentSince, std::uint64_t since) {
  std::vector<std::pair<WantNumber, Sectors>> late;
  for (const auto &[number, want] : wants_)
    if (want.asked != 0 && want.since < (want.urgent ? urgentSince : since))
      late.emplace_back(number, want.asked);
  for (const auto &[number, sectors] : late) {
    ++counts_.givenUp;
    take(number, sectors);
  }
  for (const auto &[home, asked] : unheard_)
    if (asked < since)
      silent_.insert(home);
}

void Peer::drop(const PeerPage &page, Sectors sectors) {
  post(placement_.homeOf(page),
       {.kind = PeerMessage::Kind::Drop, .rank = self_, .page = page, .sectors = sectors});
}

void Peer::receive(Rank from, std::span<const PeerMessage> messages,
                   std::span<const std::byte> bytes) {
  for (const PeerMessage &message : messages)
    handle(from, message, bytes);
}

void Peer::flush() {
  // Messages to itself may cause more.
  while (!outbox_.empty()) {
    const auto sent = std::exchange(outbox_, {});
    for (const auto &[to, messages] : sent) {
      if (to == self_) {
        receive(self_, messages, {});
        continue;
      }
      ++counts_.packets;
      counts_.messages += messages.size();
      surroundings_.send(to, messages, {});
    }
  }
}

void Peer::post(Rank to, const PeerMessage &message) { outbox_[to].push_back(message); }

void Peer::handle(Rank from, const PeerMessage &message, std::span<const std::byte> bytes) {
  heard(from);
  switch (message.kind) {
  case PeerMessage::Kind::Want:
    return handleWant(from, message);
  case PeerMessage::Kind::Hurry:
    return handleHurry(from, message);
  case PeerMessage::Kind::Give:
    return handleGive(message);
  case PeerMessage::Kind::Take:
    return take(message.want, message.sectors);
  case PeerMessage::Kind::Lack:
    heard(placement_.homeOf(message.page)); // which has sent us there
    return take(message.want, message.sectors);
  case PeerMessage::Kind::Bytes:
    heard(placement_.homeOf(message.page));
    return handleBytes(from, message, bytes);
  case PeerMessage::Kind::Have:
    directory_.have(message.page, from, message.epoch, message.sectors, message.rank);
    return goOnWithWaiting(message.page);
  case PeerMessage::Kind::Drop:
    directory_.drop(message.page, from, message.sectors);
    if (message.want != 0)
      directory_.gaveNothing(message.page, from);
    return goOnWithWaiting(message.page);
  case PeerMessage::Kind::Ping:
  case PeerMessage::Kind::Pong:
    return;
  }
}

void Peer::handleWant(Rank from, const PeerMessage &message) {
  for (const PageDirectory::Part &part : directory_.want(from, message)) {
    PeerMessage answer = message;
    answer.sectors = part.sectors;
    answer.kind = part.holder == from ? PeerMessage::Kind::Take : PeerMessage::Kind::Give;
    answer.rank = from;
    post(part.holder, answer);
  }
}

/// As many as can become holders next, and no more, since those that cannot would wait again.
void Peer::goOnWithWaiting(const PeerPage &page) {
  constexpr int kMax = 8;
  for (int i = 0; i < kMax; ++i) {
    const auto next = directory_.nextWaiting(page);
    if (!next)
      return;
    handleWant(next->rank, *next);
  }
}

/// At the home, it goes on to those known to have the page; there, it hastens what they fetch.
void Peer::handleHurry(Rank from, const PeerMessage &message) {
  (void)comingOf(message);
  if (placement_.homeOf(message.page) != self_ || message.rank != from)
    return;
  for (const PageDirectory::Part &part : directory_.holders(message.page, from, message.sectors)) {
    PeerMessage onward = message;
    onward.sectors = part.sectors;
    if (part.holder != self_)
      post(part.holder, onward);
  }
}

/// What is being fetched from the storage is given when it has come, the rest at once.
void Peer::handleGive(const PeerMessage &message) {
  Waiting to{message.rank, message.want, message.epoch, message.sectors};
  const Sectors comes = comingOf(message);
  if (comes != 0)
    waiting_.emplace(message.page, Waiting{to.rank, to.want, to.epoch, comes});
  to.sectors &= ~comes;
  if (to.sectors != 0)
    give(message.page, to);
}

/// Which of the message's sectors this peer is fetching from the storage; raised if it is urgent.
Sectors Peer::comingOf(const PeerMessage &message) {
  Sectors comes = 0;
  const auto [first, last] = fetching_.equal_range(message.page);
  for (auto each = first; each != last; ++each) {
    Want &want = wants_.at(each->second);
    if (want.epoch < message.epoch || (want.taken & message.sectors) == 0)
      continue;
    comes |= want.taken & message.sectors;
    if (message.urgent && !want.urgent) {
      want.urgent = true;
      surroundings_.hasten(each->second);
    }
  }
  return comes;
}

void Peer::take(WantNumber number, Sectors sectors) {
  const auto found = wants_.find(number);
  if (found == wants_.end())
    return;
  Want &want = found->second;
  sectors &= want.asked;
  if (sectors == 0)
    return;
  ++counts_.takes;
  if (want.taken == 0)
    fetching_.emplace(want.page, number);
  want.asked &= ~sectors;
  want.taken |= sectors;
  surroundings_.fetch(number, sectors);
}

/// The home is told even of what comes too late to be useful: the giver is free again.
void Peer::handleBytes(Rank from, const PeerMessage &message, std::span<const std::byte> bytes) {
  const auto found = wants_.find(message.want);
  const bool isWanted = found != wants_.end() && found->second.page == message.page &&
                        (message.sectors & ~found->second.asked) == 0;
  post(placement_.homeOf(message.page), {.kind = PeerMessage::Kind::Have,
                                         .rank = from,
                                         .epoch = isWanted ? found->second.epoch : 0,
                                         .page = message.page,
                                         .sectors = isWanted ? message.sectors : 0});
  if (!isWanted)
    return;
  found->second.asked &= ~message.sectors;
  ++counts_.arrivals;
  surroundings_.arrived(message.want, message.sectors, bytes);
  endIfDone(message.want);
}

void Peer::fetched(WantNumber number, Sectors sectors) {
  const auto found = wants_.find(number);
  if (found == wants_.end())
    return;
  Want &want = found->second;
  const PeerPage page = want.page;
  want.taken &= ~sectors;
  if (want.taken == 0) {
    const auto [first, last] = fetching_.equal_range(page);
    fetching_.erase(
        std::find_if(first, last, [&](const auto &each) { return each.second == number; }));
  }
  std::vector<Waiting> now;
  const auto [first, last] = waiting_.equal_range(page);
  for (auto each = first; each != last;) {
    Waiting part = each->second;
    part.sectors &= sectors;
    if (part.sectors != 0)
      now.push_back(part);
    each->second.sectors &= ~sectors;
    each = each->second.sectors == 0 ? waiting_.erase(each) : std::next(each);
  }
  for (const Waiting &each : now)
    give(page, each);
  endIfDone(number);
}

/// Sends what there is of it, and reports the rest as missing.
void Peer::give(const PeerPage &page, const Waiting &to) {
  PeerBytes bytes(static_cast<unsigned>(std::popcount(to.sectors)) * kSectorBytes);
  const Sectors there = surroundings_.copy(page, to.epoch, to.sectors, bytes.data());
  PeerMessage answer{.kind = PeerMessage::Kind::Bytes,
                     .rank = self_,
                     .want = to.want,
                     .epoch = to.epoch,
                     .page = page,
                     .sectors = there};
  if (there != 0) {
    bytes.shrink(static_cast<unsigned>(std::popcount(there)) * kSectorBytes);
    ++counts_.gives;
    ++counts_.messages;
    ++counts_.packets;
    counts_.bytes += bytes.size();
    surroundings_.send(to.rank, {&answer, 1}, std::move(bytes));
  }
  answer.sectors = to.sectors & ~there;
  if (answer.sectors == 0)
    return;
  ++counts_.lacks;
  answer.kind = PeerMessage::Kind::Lack;
  post(to.rank, answer);
  // The home learns whether there was nothing at all: others may be sent here for the rest.
  answer.kind = PeerMessage::Kind::Drop;
  answer.want = there == 0 ? to.want : 0;
  post(placement_.homeOf(page), answer);
}

void Peer::endIfDone(WantNumber number) {
  const auto found = wants_.find(number);
  if (found->second.asked == 0 && found->second.taken == 0)
    wants_.erase(found);
}

} // namespace forerun

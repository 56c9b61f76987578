// SPDX-License-Identifier: Apache-2.0
#include "exchange/Exchanged.h"

#include "base/MpiGate.h"
#include "types/NamedTypes.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace forerun {
namespace {

/// Between two checks for a message, in nanoseconds: short at first, and then so long that a check
/// of some microseconds takes at most a hundredth of a core.
constexpr std::uint64_t kFirstPause = 20'000, kLongestPause = 320'000;

/// Ends early when the main thread passes the site. A thread that noticed that late would be late
/// for what follows, too, and never get ahead: the others wait for what it sends.
class Pause {
public:
  explicit Pause(int site) : site_(site) {}

  void make(PreThread &self) {
    self.isAlive();
    self.forwarding().awaitFor(site_, length_);
    length_ = std::min(length_ + length_ / 2, kLongestPause);
  }

private:
  const int site_;
  std::uint64_t length_ = kFirstPause;
};

const std::vector<std::byte> *find(PreThread &self, int fromWorld, const Exchange::Key &key) {
  const PreThread::Unstoppable unstoppable;
  const InMpi inMpi;
  return self.exchange().find(fromWorld, key);
}

/// Null: the main thread has passed the site.
const std::vector<std::byte> *awaitMessage(PreThread &self, int site, int fromWorld,
                                           const Exchange::Key &key) {
  const std::vector<std::byte> *come = find(self, fromWorld, key);
  if (come != nullptr || self.forwarding().hasArrived(site))
    return come;
  const StallStats::Wait waits(self.stalls(), site);
  for (Pause pause(site); come == nullptr && !self.forwarding().hasArrived(site);
       come = find(self, fromWorld, key))
    pause.make(self);
  return come;
}

} // namespace

std::optional<std::size_t> exchangeableBytes(int count, MPI_Datatype type) {
  const std::size_t each = namedTypeBytes(type);
  if (each == 0 || count < 0 || static_cast<std::size_t>(count) > Exchange::kMaxBytes / each)
    return std::nullopt;
  return each * static_cast<std::size_t>(count);
}

Exchanged::Exchanged(int site, int values, MPI_Comm comm) : Exchanged(site, values) {
  if (!isKnown(comm))
    return;
  const PreThread::Unstoppable unstoppable;
  key_ = self_->exchange().nextOfAll(group_->id);
}

Exchanged::Exchanged(int site, int values, MPI_Comm comm, int peer, int tag, bool isSent)
    : Exchanged(site, values) {
  if (!isKnown(comm))
    return;
  if (peer < 0 || peer >= size() || tag < 0) { // any source, any tag, no process
    group_ = nullptr;
    return;
  }
  const PreThread::Unstoppable unstoppable;
  const Exchange::Channel channel{group_->id, tag};
  Exchange &exchange = self_->exchange();
  key_ = isSent ? exchange.nextTo(world(peer), channel) : exchange.nextFrom(world(peer), channel);
}

Exchanged::~Exchanged() {
  if (memory_ != nullptr)
    self_->inner().release(memory_);
}

bool Exchanged::isKnown(MPI_Comm comm) {
  if (self_ != nullptr && self_->mayCallMpi() && self_->exchange().isOpen())
    group_ = self_->groups().find(comm);
  if (group_ != nullptr)
    self_->isAlive();
  return group_ != nullptr;
}

bool Exchanged::trySend(int to, Bytes data) {
  const PreThread::Unstoppable unstoppable;
  const InMpi inMpi;
  return self_->exchange().send(world(to), key_, data.data(), data.size());
}

void Exchanged::send(int to, Bytes data) {
  bool isSent = trySend(to, data);
  for (Pause pause(site_); !isSent && !self_->forwarding().hasArrived(site_);
       isSent = trySend(to, data))
    pause.make(*self_);
  if (!isSent) {
    const PreThread::Unstoppable unstoppable;
    self_->exchange().giveUp(world(to));
  }
}

const std::vector<std::byte> *Exchanged::await(int from) {
  return awaitMessage(*self_, site_, world(from), key_);
}

bool Exchanged::receive(int from, void *data, std::size_t bytes) {
  const auto *come = await(from);
  if (come == nullptr || come->size() != bytes)
    return false;
  if (bytes != 0)
    std::memcpy(data, come->data(), bytes);
  return true;
}

int Exchanged::receiveLater(int from, void *data, std::size_t most) {
  self_->expect({.site = site_, .data = data, .most = most, .from = world(from), .key = key_});
  return 1;
}

int Exchanged::done() {
  if (self_ == nullptr)
    return 1;
  // The values of a non-blocking call's site come in the order of the calls.
  if (self_->expectations().has(site_))
    self_->expect({.site = site_});
  else
    self_->forwarding().passOver(site_, values_);
  return 1;
}

std::byte *Exchanged::memory(std::size_t bytes) {
  memory_ = self_->inner().allocate(bytes);
  if (memory_ == nullptr)
    self_->end("out of memory for its messages");
  return static_cast<std::byte *>(memory_);
}

bool receiveExpected(PreThread &self, const Expected &expected) {
  if (expected.from < 0)
    return false;
  const auto *come = awaitMessage(self, expected.site, expected.from, expected.key);
  if (come == nullptr || come->size() > expected.most)
    return false;
  if (!come->empty())
    std::memcpy(self.own(expected.data, come->size()), come->data(), come->size());
  self.forwarding().passOver(expected.site, 1);
  return true;
}

} // namespace forerun

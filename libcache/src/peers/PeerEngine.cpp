// SPDX-License-Identifier: Apache-2.0
#include "peers/PeerEngine.h"

#include "fetch/EngineThread.h"
#include "forerun/Clock.h"

#include <bit>
#include <chrono>
#include <cstring>
#include <new>
#include <utility>

namespace forerun {

namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// How long a read waits for others before the storage is asked: they may be stopped, or dead.
constexpr nanoseconds kReadsPatience = milliseconds(50);
/// The same for an announcement.
constexpr nanoseconds kPatience = milliseconds(2000);
constexpr nanoseconds kWhileWanting = milliseconds(25);
/// How often overdue wants are looked for; there may be thousands.
constexpr nanoseconds kBetweenLooks = milliseconds(5);
constexpr nanoseconds kBetweenProbes = milliseconds(1000);
constexpr nanoseconds kWhileIdle = std::chrono::hours(1);

Sectors bit(unsigned sector) { return Sectors{1} << sector; }

std::uint64_t ago(std::uint64_t now, nanoseconds time) {
  const auto past = static_cast<std::uint64_t>(time.count());
  return now < past ? 0 : now - past;
}

} // namespace

PeerEngine::PeerEngine(const CacheConfig &config, Peers peers, Lend lend, Completed completed)
    : geometry_(config.pageBytes), lend_(std::move(lend)), completed_(std::move(completed)),
      transport_(std::move(peers.transport)), placement_(peers.ranks),
      peer_(peers.self, placement_, PageDirectory(4 * (config.capacityBytes / config.pageBytes)),
            *this),
      probe_(*transport_, peers.partner, config.pageBytes) {}

std::unique_ptr<PeerEngine> PeerEngine::create(const CacheConfig &config, Peers peers, Lend lend,
                                               Completed completed,
                                               const MakeStorage &makeStorage) {
  std::unique_ptr<PeerEngine> engine(
      new PeerEngine(config, std::move(peers), std::move(lend), std::move(completed)));
  PeerEngine &self = *engine;
  engine->storage_ = makeStorage([&self](FetchRequest &request) {
    if (request.peerPage.file != 0 && request.file->cost != nullptr && request.rc == FORERUN_OK)
      request.file->cost->took(request.finishedNs - request.issuedNs);
    if (!request.isPart)
      return self.completed_(request);
    self.mailbox_.partDone(request);
    self.transport_->wake();
  });
  if (engine->storage_ == nullptr)
    return nullptr;
  engine->service_ = startEngineThread([&self] { self.serve(); });
  return engine->service_.joinable() ? std::move(engine) : nullptr;
}

PeerEngine::~PeerEngine() {
  if (service_.joinable())
    stop();
}

void PeerEngine::stop() {
  mailbox_.stop([this] { transport_->wake(); });
  storage_->stop(); // the service waits for its last completions
  service_.join();
}

// ---- from any thread ----

FetchFile *PeerEngine::openFile(const FileSource &source, forerun_rc &rc) {
  FetchFile *const file = storage_->openFile(source, rc);
  FileIdentity identity;
  forerun_rc ignored = FORERUN_OK;
  try {
    if (file != nullptr && identify(source, identity, ignored)) {
      const MutexLock lock(mutex_);
      file->cost = &costs_[identity.device];
    }
  } catch (const std::bad_alloc &) {
    return file; // its cost stays unknown
  }
  return file;
}

/// If the storage is faster, that is checked again from time to time.
bool PeerEngine::asksPeers(const FetchRequest &request) {
  if (request.peerPage.file == 0)
    return false;
  const StorageCost *const cost = request.file->cost;
  if (cost == nullptr || !cost->isLessThan(othersTakeNs_))
    return true;
  if (probedNs_ < ago(nowNs(), kBetweenProbes)) {
    isToProbe_ = true;
    transport_->wake();
  }
  return false;
}

void PeerEngine::queue(std::span<FetchRequest *const> requests) {
  for (FetchRequest *request : requests)
    request->asksPeers = asksPeers(*request);
  const auto asks = [](const FetchRequest &request) { return request.asksPeers; };
  eachRun(requests, asks, [&](auto run) {
    if (!asks(*run.front()) || !mailbox_.want(run))
      storage_->queue(run);
  });
}

void PeerEngine::flush() {
  storage_->flush();
  if (mailbox_.hasRequests())
    transport_->wake();
}

void PeerEngine::submitAndRead(FetchRequest &request) {
  FetchRequest *one = &request;
  request.asksPeers = asksPeers(request);
  if (request.asksPeers && mailbox_.want({&one, 1}))
    transport_->wake();
  else
    storage_->submitAndRead(request);
}

void PeerEngine::raise(FetchRequest &request) {
  const WantNumber want = mailbox_.wantOf(request);
  if (want == 0)
    return storage_->raise(request);
  mailbox_.hint({.raise = want});
  transport_->wake();
}

/// What peers have been or will be asked for cannot be taken back.
bool PeerEngine::takeBack(FetchRequest &request) {
  return !request.asksPeers && mailbox_.wantOf(request) == 0 && storage_->takeBack(request);
}

void PeerEngine::dropped(const PeerPage &page, Sectors sectors) {
  mailbox_.hint({.page = page, .sectors = sectors});
}

FetchEngine::Said PeerEngine::saidToPeers() const {
  const Peer::Counts now = counts();
  return {now.messages - now.gives, now.packets - now.gives};
}

// ---- the service ----

void PeerEngine::serve() {
  probe();
  for (;;) {
    Mailbox::Mail mail = mailbox_.take(peer_.counts(), brokeOff_);
    asksStorage_ = !mail.isLast;
    while (FetchRequest *request = mail.requests.pop())
      request->isPart ? partDone(*request) : begin(*request);
    for (const Mailbox::Hint &each : mail.hints)
      orBreakOff([&] {
        if (each.raise == 0)
          return peer_.drop(each.page, each.sectors);
        if (!wants_.has(each.raise))
          return;
        peer_.raise(each.raise, nowNs());
        hasten(each.raise);
      });
    const std::uint64_t now = nowNs();
    if (asksStorage_ && lookedNs_ < ago(now, kBetweenLooks)) {
      lookedNs_ = now;
      orBreakOff([&] { peer_.giveUp(ago(now, kReadsPatience), ago(now, kPatience)); });
    }
    if (!asksStorage_ && failWhatIsAsked(FORERUN_ERR_STOPPED))
      return;
    if (isToProbe_.exchange(false))
      probe();
    sendAndFetch();
    if (brokeOff_)
      (void)failWhatIsAsked(FORERUN_ERR_MEMORY);
    transport_->wait(peer_.anyWanted() && !brokeOff_ ? kWhileWanting : kWhileIdle,
                     [&](Rank from, auto messages, auto bytes) {
                       orBreakOff([&] { receive(from, messages, bytes); });
                     });
    sendAndFetch();
  }
}

/// A step of the protocol, if it has not broken off.
template <typename Step> void PeerEngine::orBreakOff(const Step &step) {
  if (brokeOff_)
    return;
  try {
    step();
  } catch (const std::bad_alloc &) {
    brokeOff_ = true;
  }
}

/// Carries out what the protocol has decided on, together.
void PeerEngine::sendAndFetch() {
  orBreakOff([&] { peer_.flush(); });
  for (FetchRequest *part : toFetch_) // a read may have begun to wait for it since
    if (wants_.at(part->want).urgent)
      part->kind = FetchKind::Demand;
  if (!toFetch_.empty())
    storage_->submit(toFetch_);
  toFetch_.clear();
}

/// When nothing is in flight, and not often; only for requests of this process: if others' messages
/// counted, one probe would cause the next. Without memory, others are asked as before.
void PeerEngine::probe() try {
  const std::uint64_t now = nowNs();
  if (probedNs_ != 0 && probedNs_ > ago(now, kBetweenProbes))
    return;
  probedNs_ = now; // even if it is not done: nobody wakes this thread for it so soon
  if (wants_.empty())
    probe_.begin(now);
} catch (const std::bad_alloc &) {
  return;
}

void PeerEngine::receive(Rank from, std::span<const PeerMessage> messages,
                         std::span<const std::byte> bytes) {
  if (!messages.empty() && probe_.receive(from, messages.front(), nowNs()))
    othersTakeNs_ = probe_.tookNs();
  else
    peer_.receive(from, messages, bytes);
}

void PeerEngine::begin(FetchRequest &request) {
  if (wants_.empty())
    probe();
  request.issuedNs = nowNs();
  request.inFlight = 1;
  orBreakOff([&] {
    const Want &made = wants_.add(request, geometry_);
    peer_.want(request.want, request.peerPage, request.peerEpoch, made.left, made.urgent,
               request.issuedNs);
  });
  if (brokeOff_ && !wants_.has(request.want)) {
    request.rc = FORERUN_ERR_MEMORY;
    request.finishedNs = request.issuedNs;
    completed_(request);
  }
}

void PeerEngine::partDone(FetchRequest &part) {
  const WantNumber number = part.want;
  const Sectors sectors = wants_.at(number).partDone(part, geometry_);
  orBreakOff([&] { peer_.fetched(number, sectors); });
  endIfDone(number);
}

void PeerEngine::endIfDone(WantNumber number) {
  const Want &want = wants_.at(number);
  if (want.left != 0)
    return;
  FetchRequest &request = *want.request;
  request.rc = want.rc;
  request.bytes = want.good;
  request.finishedNs = nowNs();
  wants_.remove(number);
  completed_(request);
}

/// Nobody is asked any more. True if nothing is in flight.
bool PeerEngine::failWhatIsAsked(forerun_rc rc) {
  wants_.forEach([&](WantNumber number, Want &want) {
    Sectors coming = 0;
    for (const auto &part : want.parts)
      coming |= part->sectors;
    if ((want.left & ~coming) != 0) {
      want.rc = rc;
      want.good = 0;
    }
    want.left &= coming;
    endIfDone(number);
  });
  return wants_.empty();
}

// ---- what the protocol asks for ----

void PeerEngine::send(Rank to, std::span<const PeerMessage> messages, PeerBytes bytes) {
  transport_->send(to, messages, std::move(bytes));
}

/// From the buffers of what has partly come, and from the cache.
Sectors PeerEngine::copy(const PeerPage &page, std::uint32_t epoch, Sectors sectors,
                         std::byte *to) {
  const Sectors here = wants_.inBuffers(page, epoch, sectors);
  const Sectors there = (sectors & ~here) == 0 ? 0 : lend_(page, epoch, sectors & ~here, to);
  if (here == 0)
    return there;
  // Into one row, from the end, so that what the cache gave is moved before it is overwritten.
  const Sectors all = here | there;
  auto row = static_cast<std::size_t>(std::popcount(all));
  auto given = static_cast<std::size_t>(std::popcount(there));
  for (unsigned sector = PeerMessage::kSectors; sector-- > 0;) {
    if ((all & bit(sector)) == 0)
      continue;
    std::byte *const place = to + --row * kSectorBytes;
    if ((there & bit(sector)) != 0)
      std::memmove(place, to + --given * kSectorBytes, kSectorBytes);
    else
      std::memcpy(place, wants_.inBuffer(page, epoch, sector), kSectorBytes);
  }
  return all;
}

/// A request to the storage for each run.
void PeerEngine::fetch(WantNumber number, Sectors sectors) {
  Want &want = wants_.at(number);
  if (!asksStorage_)
    return; // it is being stopped, and requests fail
  for (Sectors rest = sectors; rest != 0;) {
    const SectorRange run = firstRunOf(rest);
    rest &= ~bitsOf(run);
    auto part = want.partOf(number, run);
    FetchRequest &request = part->request;
    toFetch_.reserve(toFetch_.size() + 1); // so that what is in the one is in the other
    want.parts.push_back(std::move(part));
    toFetch_.push_back(&request);
  }
}

void PeerEngine::hasten(WantNumber number) {
  Want &want = wants_.at(number);
  want.urgent = true;
  for (const auto &part : want.parts)
    storage_->raise(part->request);
}

void PeerEngine::arrived(WantNumber number, Sectors sectors, std::span<const std::byte> bytes) {
  wants_.at(number).take(sectors, bytes.data());
  endIfDone(number);
}

} // namespace forerun

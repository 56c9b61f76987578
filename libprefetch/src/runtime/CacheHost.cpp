// SPDX-License-Identifier: Apache-2.0
#include "runtime/CacheHost.h"

#include "forerun/GuardedCopy.h"
#include "runtime/PeersMeeting.h"
#include "runtime/PoolMeeting.h"
#include "thread/Signals.h"

#include <array>
#include <memory>
#include <new>
#include <string>
#include <utility>

namespace forerun {
namespace {

/// In records; a full stream blocks its producer.
constexpr std::size_t kStreamRecords = 4096;

bool isRead(int amode) { return (amode & MPI_MODE_WRONLY) == 0; }

} // namespace

// With FORERUN_CHECK there is no leash.
CacheHost::CacheHost(const Options &options, Surroundings around)
    : options_(options), around_(std::move(around)), preStream_(kStreamRecords, courierWake_),
      handStream_(kStreamRecords, courierWake_),
      distance_(options.check.empty() ? options.leashCalls : 0, options.leashBytes) {}

/// Records what the engine threads report about each fetch.
void CacheHost::observe(Cache &cache, Courier &courier) {
  cache.onFetch([&cache, &courier](const FetchEvent &event) {
    courier.noteFetched(event);
    if (courier.recording().on())
      courier.recording().noteFetched(cache.path(*event.file), event);
  });
}

CacheHost::Admission CacheHost::admit(MPI_Info info) {
  const MutexLock lock(making_);
  Admission result;
  result.options = options_.effective(info, first_ ? &*first_ : nullptr, &result.ignored);
  if (!result.options.enabled || result.options.cache == CacheMode::Off)
    return result;
  if (!first_ && !failed_)
    failed_ = !make(result.options, makeCourier());
  result.cache = cache_.load();
  return result;
}

CacheHost::Meets CacheHost::meets(int amode, MPI_Info info) {
  const MutexLock lock(making_);
  if (circle_ != 0 && isRead(amode))
    return Meets::Named;
  if (failed_ || met_)
    return Meets::Not;
  if (first_) // for the others, once
    return first_->pool ? Meets::First : Meets::Not;
  const Options options = options_.effective(info, nullptr, nullptr);
  const bool isShared = options.enabled && options.cache != CacheMode::Off && options.pool;
  if (!isShared)
    return Meets::Not;
  return isJobOnThisNode() ? Meets::FirstHere : Meets::First;
}

std::uint64_t CacheHost::meet(MPI_Comm comm, int amode, MPI_Info info, Meets least) noexcept {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  if (size == 1) // others may be met later, if this file gets no cache
    return 0;
  const bool areHere = least == Meets::FirstHere && isOfOneJob(comm);
  if (least != Meets::Named)
    meetFirst(comm, info, areHere);
  return isRead(amode) && !areHere ? nameIn(comm) : 0;
}

/// The name of a file that all of \p comm open: the first rank gives it a name in its circle.
std::uint64_t CacheHost::nameIn(MPI_Comm comm) {
  std::array<std::uint64_t, 2> circleAndName{};
  std::uint64_t own = 0;
  {
    const MutexLock lock(making_);
    own = circle_;
    circleAndName = {circle_, ++lastName_};
  }
  PMPI_Bcast(circleAndName.data(), 2, MPI_UINT64_T, 0, comm);
  return own != 0 && circleAndName[0] == own ? circleAndName[1] : 0;
}

static std::string alone(const char *why) {
  return std::string("the cache is this process's alone: ") + why;
}

/// A process that has a cache, or has met others, only takes part for those that have not.
void CacheHost::meetFirst(MPI_Comm comm, MPI_Info info, bool areHere) {
  bool isFresh = false;
  {
    const MutexLock lock(making_);
    isFresh = !first_ && !met_;
  }
  CacheConfig config;
  try {
    config = options_.effective(info, nullptr, nullptr).cacheConfig();
  } catch (const std::bad_alloc &) {
    config.capacityBytes = 0; // nobody else has this size: no pool, but all have come
  }
  Meeting meeting = areHere ? meetOnOneNode(comm, config) : meetInPool(comm, config, isFresh);
  const bool isThere = meeting.pool != nullptr;
  int size = 0;
  PMPI_Comm_size(comm, &size);
  PeersMeeting peers;
  bool areOnNodes = meeting.onNode < size; // or one of them is not fresh
  if (areOnNodes)
    PMPI_Allreduce(&isFresh, &areOnNodes, 1, MPI_C_BOOL, MPI_LAND, comm);
  if (areOnNodes)
    peers = meetPeers(comm, meeting.node, config);
  Peers *const there = peers.peers.release(); // others know it from now on
  {
    const MutexLock lock(making_);
    // Another thread may have met others meanwhile.
    if (isFresh && !first_ && !met_) {
      pool_ = std::move(meeting.pool);
      peers_ = there;
      circle_ = peers.circle;
      lastName_ = peers.firstName;
    }
    if (!met_)
      met_ = config;
  }
  try {
    if (isFresh)
      around_.say(isThere ? "the cache is a part of its node's" : alone(meeting.whyNone).c_str());
    if (areOnNodes)
      around_.say(there != nullptr ? "the caches of other nodes are asked, too"
                                   : peers.whyNone.c_str());
  } catch (const std::bad_alloc &) {
    return; // nothing is said
  }
}

bool CacheHost::make(const Options &first, Courier &courier) {
  forerun_rc rc = FORERUN_OK;
  const CacheConfig config = first.cacheConfig();
  const bool isOfPool =
      met_ && met_->capacityBytes == config.capacityBytes && met_->pageBytes == config.pageBytes;
  std::unique_ptr<Pool> pool = isOfPool ? std::move(pool_) : nullptr;
  Peers *const peers = isOfPool ? peers_ : nullptr;
  pool_ = nullptr;
  if (peers == nullptr)
    circle_ = 0;
  std::unique_ptr<Cache> made = Cache::create(config, rc, std::move(pool), peers);
  if (made == nullptr) {
    const std::string why = "no cache of " + kinds::Size::print(first.cacheBytes) +
                            " in pages of " + kinds::Size::print(first.pageBytes) + ": " +
                            forerun_rc_text(rc);
    around_.say(why.c_str());
    return false;
  }
  if (first.pool && !met_)
    around_.say(alone("it opens its first file without others that ask for a pool").c_str());
  observe(*made, courier);
  first_.emplace(first);
  if (options_.check.empty())
    distance_.set(first.leashCalls, first.leashBytes);
  // Copies to the program's memory may fault from now on.
  (void)signals::takeOver(endFaultedCopy);
  cache_.store(made.release());
  return true;
}

void CacheHost::endFetching() {
  Cache *const made = cache();
  if (made == nullptr || fetchingEnded_.exchange(true))
    return;
  made->endFetching();
  signals::giveBack(endFaultedCopy);
}

Courier &CacheHost::courier() {
  if (Courier *made = courier_.load())
    return *made;
  const MutexLock lock(making_);
  return makeCourier();
}

Courier &CacheHost::makeCourier() {
  if (Courier *made = courier_.load())
    return *made;
  auto *courier = new Courier({.wake = courierWake_,
                               .pre = preStream_,
                               .hand = handStream_,
                               .handles = handles_,
                               .cache = [this] { return cache(); },
                               .progress = around_.progress,
                               .distance = distance_,
                               .say = around_.say,
                               .giveUp = around_.giveUp});
  courier->recording().enable(options_.report != "0", !options_.trace.empty());
  if (!options_.check.empty())
    courier->throttle().stayRunning();
  courier_.store(courier);
  return *courier;
}

Stream &CacheHost::handStream() {
  courier().start();
  return handStream_;
}

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#include "runtime/CacheHost.h"

#include "base/Message.h"

#include <limits>
#include <utility>

namespace forerun {
namespace {

/// Records; a full stream holds its producer.
constexpr std::size_t kStreamRecords = 4096;

} // namespace

CacheHost::CacheHost(const Options &options, Surroundings around)
    : options_(options), around_(std::move(around)), preStream_(kStreamRecords, courierWake_),
      handStream_(kStreamRecords, courierWake_) {}

/// What the engine threads tell of each fetch.
void CacheHost::observe(Cache &cache, Courier &courier) {
  cache.onFetch([&cache, &courier](const FetchEvent &event) {
    courier.noteFetched(event);
    if (courier.recording().on())
      courier.recording().noteFetched(cache.path(*event.file), event);
  });
}

Cache *CacheHost::make(const Options &effective) {
  Courier &fed = courier();
  const MutexLock lock(making_);
  if (cache_.load() != nullptr || failed_)
    return cache_.load();
  forerun_rc rc = FORERUN_OK;
  Cache *const made = Cache::create(effective.cacheConfig(), rc).release();
  failed_ = made == nullptr;
  if (failed_) {
    (Message() << "no cache of " << kinds::Size::print(effective.cacheBytes) << " in pages of "
               << kinds::Size::print(effective.pageBytes) << ": " << forerun_rc_text(rc))
        .write();
    return nullptr;
  }
  if (options_.check.empty())
    fed.setLeash(effective.leashCalls, effective.leashBytes);
  observe(*made, fed);
  cache_.store(made);
  return made;
}

Courier &CacheHost::courier() {
  if (Courier *made = courier_.load())
    return *made;
  const MutexLock lock(making_);
  if (Courier *made = courier_.load())
    return *made;
  auto *courier = new Courier({.wake = courierWake_,
                               .pre = preStream_,
                               .hand = handStream_,
                               .handles = handles_,
                               .cache = [this] { return cache(); },
                               .progress = around_.progress,
                               .say = around_.say,
                               .giveUp = around_.giveUp});
  courier->recording().enable(options_.report != "0", !options_.trace.empty());
  courier->setLeash(options_.leashCalls, options_.leashBytes);
  if (!options_.check.empty()) { // nothing holds the pre-execution thread
    courier->throttle().stayRunning();
    courier->setLeash(std::numeric_limits<std::uint64_t>::max(), 0);
  }
  courier_.store(courier);
  return *courier;
}

Stream &CacheHost::handStream() {
  courier().start();
  return handStream_;
}

} // namespace forerun

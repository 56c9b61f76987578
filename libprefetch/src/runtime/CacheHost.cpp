// SPDX-License-Identifier: Apache-2.0
#include "runtime/CacheHost.h"

#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace forerun {
namespace {

/// Records; a full stream holds its producer.
constexpr std::size_t kStreamRecords = 4096;

} // namespace

// With FORERUN_CHECK nothing holds the pre-execution thread.
CacheHost::CacheHost(const Options &options, Surroundings around)
    : options_(options), around_(std::move(around)), preStream_(kStreamRecords, courierWake_),
      handStream_(kStreamRecords, courierWake_),
      leashCalls_(options.check.empty() ? options.leashCalls : 0) {}

/// What the engine threads tell of each fetch.
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

bool CacheHost::make(const Options &first, Courier &courier) {
  forerun_rc rc = FORERUN_OK;
  std::unique_ptr<Cache> made = Cache::create(first.cacheConfig(), rc);
  if (made == nullptr) {
    const std::string why = "no cache of " + kinds::Size::print(first.cacheBytes) +
                            " in pages of " + kinds::Size::print(first.pageBytes) + ": " +
                            forerun_rc_text(rc);
    around_.say(why.c_str());
    return false;
  }
  observe(*made, courier);
  first_.emplace(first);
  if (options_.check.empty()) {
    leashCalls_.store(first.leashCalls);
    courier.setLeash(first.leashCalls, first.leashBytes);
  }
  cache_.store(made.release());
  return true;
}

void CacheHost::endFetching() {
  if (Cache *made = cache(); made != nullptr && !fetchingEnded_.exchange(true))
    made->endFetching();
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
                               .say = around_.say,
                               .giveUp = around_.giveUp});
  courier->recording().enable(options_.report != "0", !options_.trace.empty());
  courier->setLeash(options_.leashCalls, options_.leashBytes);
  if (!options_.check.empty()) {
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

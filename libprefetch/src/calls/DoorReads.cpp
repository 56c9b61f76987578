// SPDX-License-Identifier: Apache-2.0
#include "calls/DoorReads.h"

#include "calls/TheProcess.h"
#include "forerun/Clock.h"
#include "forerun/GuardedCopy.h"

#include <algorithm>

namespace forerun {
namespace {

/// Replaces a ticket: the bytes of the missed read are not kept.
constexpr std::uint64_t kNoTicket = FORERUN_UNTIMED - 1;

/// One missed read in kTimedEvery is timed, until one is slow: enough for the throttle to see that
/// storage has become slow. (Two looks at the clock take a tenth of a read from the system's page
/// cache.)
constexpr std::uint32_t kTimedEvery = 16;

/// \p leaves: bytes for the Trail, so that its end is told in any case.
std::uint64_t sampledTicket(OpenFile &open, std::uint64_t offset, std::size_t length,
                            bool leaves = false) {
  const bool timed = open.stats != nullptr ||
                     theProcess().host().courier().throttle().suspectsLatency() ||
                     open.misses.fetch_add(1, std::memory_order_relaxed) % kTimedEvery == 0;
  if (timed || leaves)
    open.underWay.begin(offset, length);
  if (timed)
    return kNoTicket;
  return leaves ? FORERUN_UNTIMED : FORERUN_UNTOLD;
}

/// The program has read from storage.
void noteMissed(forerun_handle *h, std::uint64_t offset, std::size_t got, std::uint64_t elapsedNs) {
  Courier &courier = theProcess().host().courier();
  courier.noteMissed(got, elapsedNs);
  if (FileStats *const stats = h->open->stats)
    courier.recording().noteRead(*stats, {Outcome::Miss, got, 0}, offset, elapsedNs);
}

void leaveTrail(const forerun_handle &h, const void *buffer, std::uint64_t offset,
                std::size_t length) {
  CacheHost &host = theProcess().host();
  if (host.trail().leave({h.slot, h.generation.load(std::memory_order_relaxed), offset, length},
                         buffer))
    host.courier().noteFarAhead();
}

/// Includes the cache's part of a read. \p waits: the program waits for the bytes.
int readThroughCache(forerun_handle *h, void *buffer, std::uint64_t offset, std::size_t length,
                     bool waits, std::size_t *got, std::uint64_t *ticket) {
  CacheHost &host = theProcess().host();
  Courier &courier = host.courier();
  Cache &cache = *host.cache();
  OpenFile &open = *h->open;
  const bool follows = waits && length <= OpenFile::kMaxFollowedBytes &&
                       open.followed.load(std::memory_order_relaxed);
  const bool fetches = follows && (length > Trail::kMaxBytes || !courier.lead().isResting());
  const std::uint64_t startNs = open.stats != nullptr || fetches ? nowNs() : 0;
  const ReadResult result = fetches ? cache.readOrFetch(*h->file, buffer, offset, length)
                                    : cache.read(*h->file, buffer, offset, length);
  if (result.outcome == Outcome::Miss) {
    const bool isKept = open.always.load(std::memory_order_relaxed);
    if (isKept)
      open.underWay.begin(offset, length);
    *ticket = isKept ? cache.ticket(*h->file) : sampledTicket(open, offset, length, follows);
    return 0;
  }
  *got = result.bytes;
  if (fetches && result.bytes == length)
    leaveTrail(*h, buffer, offset, length);
  if (result.fetched) {
    noteMissed(h, offset, result.bytes, nowNs() - startNs);
    return 1;
  }
  courier.noteServed(result);
  if (open.stats != nullptr)
    courier.recording().noteRead(*open.stats, result, offset, nowNs() - startNs);
  return 1;
}

} // namespace

namespace entries {

int read(forerun_handle *h, void *buffer, std::uint64_t offset, std::size_t length,
         std::size_t *got, std::uint64_t *ticket) {
  if (!h->open->serving.load(std::memory_order_relaxed)) {
    *ticket = sampledTicket(*h->open, offset, length);
    return 0;
  }
  const bool waits = *ticket != FORERUN_UNTOLD;
  return readThroughCache(h, buffer, offset, length, waits, got, ticket);
}

int copy(void *to, const void *from, std::size_t length) {
  return copyGuarded(to, from, length) ? 1 : 0;
}

void missed(forerun_handle *h, const void *buffer, std::uint64_t offset, std::size_t length,
            std::size_t got, std::uint64_t ticket, std::uint64_t elapsedNs) {
  if (ticket < kNoTicket && h->open->always.load(std::memory_order_relaxed))
    theProcess().host().cache()->fill(*h->file, ticket, buffer, offset, got, got < length);
  if (got == length && h->open->followed.load(std::memory_order_relaxed))
    leaveTrail(*h, buffer, offset, length);
  h->open->underWay.end();
  if (ticket != FORERUN_UNTIMED)
    noteMissed(h, offset, got, elapsedNs);
}

void started(forerun_handle *h, std::uint64_t offset, std::size_t length) {
  if (FileStats *const stats = h->open->stats)
    theProcess().host().courier().recording().noteStarted(*stats, offset, length);
}

int covered(forerun_handle *h, const forerun_range *ranges, std::size_t count) {
  if (!h->open->serving.load(std::memory_order_relaxed))
    return 0;
  Cache &cache = *theProcess().host().cache();
  return std::all_of(ranges, ranges + count, [&](const forerun_range &range) {
    return cache.covered(*h->file, range.offset, range.length);
  });
}

} // namespace entries
} // namespace forerun

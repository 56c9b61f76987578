// SPDX-License-Identifier: Apache-2.0
#include "courier/Announcer.h"

#include <algorithm>
#include <limits>

namespace forerun {

void Announcer::begin(Cache &cache, const Progress *progress, const PrefetchDistance &distance) {
  cache_ = &cache;
  progress_ = progress;
  window_.setLeash(distance.isLimited() ? distance.calls()
                                        : std::numeric_limits<std::uint64_t>::max(),
                   distance.bytes(cache.config().capacityBytes));
}

bool Announcer::passed(CallId call) const {
  return call.site >= 0 && progress_ != nullptr && progress_->hasPassed(call);
}

bool Announcer::isNext(CallId call) const {
  return call.site >= 0 && progress_ != nullptr && progress_->passed(call.site) == call.occurrence;
}

bool Announcer::retire() {
  if (progress_ == nullptr)
    return false;
  const Window::Retired retired = window_.retirePassed(*progress_);
  if (retired.upTo == 0)
    return false;
  cache_->retire(retired.upTo);
  full_ = Full::No;
  throttle_.noteRetired(retired.announcedCalls, retired.announcedBytes, recording_.servedBytes());
  return true;
}

/// Bytes that the main thread would never read keep nothing in the cache, and those not being
/// fetched yet are not fetched.
void Announcer::withdraw(Withdrawals::Range predictions) {
  Sequence first = 0, last = 0; // a run of them
  const auto tell = [&] {
    if (first != 0)
      cache_->withdraw(first, last);
  };
  window_.withdraw(predictions, [&](Sequence each) {
    increment(counts_.withdrawn);
    if (first == 0 || each != last + 1) {
      tell();
      first = each;
    }
    last = each;
  });
  tell();
  if (full_.load() == Full::UntilPassed)
    full_ = Full::No;
}

void Announcer::abandonAll() {
  throttle_.forgetProbe();
  probeSet_ = false;
  full_ = Full::No;
  if (const Window::Retired all = window_.retireAll(); all.upTo != 0)
    cache_->retire(all.upTo);
}

// ---- a place in the window ----

bool Announcer::continues(const ArrivingCall &arriving, const Record &record) const {
  return window_.contains(arriving.sequence) && arriving.call == record.call;
}

void Announcer::take(ArrivingCall &arriving, const Record &record, std::uint64_t bytes) {
  if (!continues(arriving, record))
    arriving = {window_.enter(record.call, record.prediction), record.call};
  window_.charge(arriving.sequence, bytes);
}

bool Announcer::enter(ArrivingCall &arriving, const Record &record, std::uint64_t &bytes) {
  const bool known = continues(arriving, record);
  if (!known && !window_.hasRoomForCall())
    return false;
  if (bytes > window_.roomBytes()) {
    if (!window_.holdsOnly(known ? arriving.sequence : 0))
      return false;
    bytes = window_.roomBytes(); // the call alone exceeds the leash: its first part
    increment(counts_.dropped);
  }
  take(arriving, record, bytes);
  return true;
}

bool Announcer::enterByHand(ArrivingCall &arriving, const Record &record, std::uint64_t &bytes) {
  const bool known = continues(arriving, record);
  const Sequence own = known ? arriving.sequence : window_.lastSequence() + 1;
  while ((!known && !window_.hasRoomForCall()) || bytes > window_.roomBytes())
    if (!retireOldestByHand(own))
      break;
  return ((known || window_.hasRoomForCall()) && enter(arriving, record, bytes)) && bytes != 0;
}

/// The announcements of calls by hand leave in the order in which they came.
bool Announcer::retireOldestByHand(Sequence before) {
  if (window_.empty() || window_.front().call.site >= 0 || window_.firstSequence() >= before)
    return false;
  cache_->retire(window_.retireFront().upTo);
  full_ = Full::No;
  return true;
}

void Announcer::noteRead(Sequence sequence, std::uint64_t bytes) {
  window_.noteTold(sequence, bytes);
  throttle_.noteCall();
}

// ---- telling the cache ----

/// False: the cache is full. Older calls release their pages when the main thread passes them, so
/// no fetch needs to wake this thread. Without older calls it notes that and tries again, since the
/// fetch that would have reported a free page may have finished just before.
bool Announcer::tell(const Placed &item, std::uint64_t length, const HandleUse &use) {
  const auto accepted = [&] {
    return cache_->prefetch(use.cached(), item.record.offset, length, item.sequence) ==
           Announced::Accepted;
  };
  use.open().serve(*cache_);
  if (accepted())
    return true;
  const bool isOldest = window_.firstSequence() >= item.sequence;
  full_ = isOldest ? Full::UntilFetched : Full::UntilPassed;
  if (!isOldest || !accepted())
    return false;
  full_ = Full::No;
  return true;
}

/// The main thread is at this very call, and gets its bytes from storage.
bool Announcer::isUnderWay(const Record &record, const HandleUse &use) const {
  return isNext(record.call) && use.open().underWay.brings(record.offset, record.length);
}

void Announcer::noteTold(const Placed &item, const HandleUse &use) {
  window_.noteTold(item.sequence, item.record.length);
  increment(counts_.announced, item.record.last ? 1 : 0);
  increment(counts_.announcedBytes, item.record.length);
  if (use.open().stats != nullptr)
    recording_.noteAnnounced(*use.open().stats, item.record);
}

bool Announcer::tellWhole(const Placed &item, const HandleUse &use) {
  if (!tell(item, item.record.length, use))
    return false;
  noteTold(item, use);
  return true;
}

bool Announcer::announce(const Placed &item, const HandleUse &use) {
  if (!isOpen())
    return false;
  if (isUnderWay(item.record, use)) {
    increment(counts_.skippedLate, item.record.last ? 1 : 0);
    return true;
  }
  throttle_.noteCall();
  const std::uint64_t first = std::min(item.record.length, Throttle::kProbeBytes);
  if (throttle_.state() != Throttle::State::Probing ||
      cache_->covered(use.cached(), item.record.offset, first))
    return tellWhole(item, use);
  if (cache_->resident(use.cached(), item.record.offset, first)) {
    throttle_.noteResident();
    increment(counts_.dropped, item.record.last ? 1 : 0);
    return true;
  }
  throttle_.probe(use.cached(), item.record.offset, first);
  if (!tell(item, first, use)) {
    throttle_.forgetProbe();
    return false;
  }
  probe_ = item;
  probeSet_ = true;
  return true;
}

bool Announcer::settleProbe(HandleTable &handles) {
  if (!probeSet_)
    return false;
  const Record &record = probe_.record;
  const HandleUse use(handles, files_, record.slot, record.generation);
  const bool over = !use || passed(record.call);
  if (throttle_.probeIsOut() && !over)
    return false;
  throttle_.forgetProbe();
  probeSet_ = false;
  if (over)
    return true;
  if (record.length <= Throttle::kProbeBytes)
    noteTold(probe_, use);
  else if (throttle_.allows() && !tellWhole(probe_, use))
    increment(counts_.dropped);
  return true;
}

void Announcer::announceByHand(const Placed &item, const HandleUse &use) {
  while (!tell(item, item.record.length, use))
    if (!retireOldestByHand(item.sequence)) {
      full_ = Full::No; // nothing waits for the room
      increment(counts_.dropped);
      return;
    }
  noteTold(item, use);
}

} // namespace forerun

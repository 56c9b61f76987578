// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Counter.h"
#include "channels/PrefetchDistance.h"
#include "channels/Progress.h"
#include "courier/Parking.h"
#include "courier/Throttle.h"
#include "courier/Window.h"
#include "files/OpenFiles.h"
#include "forerun/Cache.h"
#include "measure/Recording.h"

#include <atomic>
#include <cstdint>

/// \file
/// Gives announced calls their place in the window, tells the cache about them, and retires them
/// when the main thread has passed them. While the throttle probes, announcements ahead go out one
/// at a time: first a probe's range, the rest after that has been fetched; or none, if it lies in
/// the system's memory.
///
/// Calls by hand have no identifier by which they could retire: the oldest one makes room for the
/// next. They neither wait nor probe.
/// Threads: only the courier; any thread may read the counters.

namespace forerun {

/// The call whose records are arriving on a stream.
struct ArrivingCall {
  Sequence sequence = 0; ///< 0: none
  CallId call{};
};

class Announcer {
public:
  struct Counts {
    Counter announced{0}, announcedBytes{0}, skippedLate{0}, dropped{0}, withdrawn{0};
  };

  Announcer(OpenFiles &files, Throttle &throttle, Recording &recording)
      : files_(files), throttle_(throttle), recording_(recording) {}

  /// At the beginning of each turn.
  void begin(Cache &cache, const Progress *progress, const PrefetchDistance &distance);
  bool passed(CallId call) const;
  bool isNext(CallId call) const; ///< the main thread is at it, or on its way there
  std::size_t callsAhead() const { return window_.size(); } ///< announced and not passed
  bool retire();                                            ///< true if anything left the window
  void withdraw(Withdrawals::Range predictions);            ///< which were wrong
  void abandonAll();                                        ///< prefetching has been suspended

  /// Gives (the rest of) \p record its place; \p bytes: its bytes without those that the leash
  /// could never hold. False: no room until others have been passed.
  bool enter(ArrivingCall &arriving, const Record &record, std::uint64_t &bytes);
  /// The same for a call by hand; false: no room, it is dropped.
  bool enterByHand(ArrivingCall &arriving, const Record &record, std::uint64_t &bytes);
  void noteRead(Sequence sequence, std::uint64_t bytes); ///< a private read counts as announced

  /// Whether the next announcement ahead may go out now.
  bool isOpen() const { return full_.load() == Full::No && !probeSet_; }
  /// Engine threads: a fetch has finished. True if a full cache waited for that: try again.
  bool noteFetched() {
    Full full = Full::UntilFetched;
    return full_.load() == full && full_.compare_exchange_strong(full, Full::No);
  }
  /// False: the cache is full; try again when isOpen.
  bool announce(const Placed &item, const HandleUse &use);
  void announceByHand(const Placed &item, const HandleUse &use);
  /// Once the probe's fetch is complete: announces the rest of its range. True if it was complete.
  bool settleProbe(HandleTable &handles);

  Counts &counts() { return counts_; }
  const Counts &counts() const { return counts_; }

private:
  bool continues(const ArrivingCall &arriving, const Record &record) const;
  void take(ArrivingCall &arriving, const Record &record, std::uint64_t bytes);
  bool retireOldestByHand(Sequence before);
  bool tell(const Placed &item, std::uint64_t length, const HandleUse &use);
  bool isUnderWay(const Record &record, const HandleUse &use) const;
  void noteTold(const Placed &item, const HandleUse &use);
  bool tellWhole(const Placed &item, const HandleUse &use);

  OpenFiles &files_;
  Throttle &throttle_;
  Recording &recording_;
  Cache *cache_ = nullptr;
  const Progress *progress_ = nullptr;
  Window window_;
  /// No page is available until older calls have been passed, or, if there are none, until
  /// something has been fetched.
  enum class Full : unsigned char { No, UntilPassed, UntilFetched };
  std::atomic<Full> full_{Full::No};
  bool probeSet_ = false; ///< an announcement is out whose fetch shows how fast storage is
  Placed probe_;
  Counts counts_;
};

} // namespace forerun

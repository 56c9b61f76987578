// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/EventCount.h"
#include "channels/PrefetchDistance.h"
#include "channels/Progress.h"
#include "channels/Stream.h"
#include "courier/Announcer.h"
#include "courier/HandDirt.h"
#include "courier/Lead.h"
#include "courier/ParkingLot.h"
#include "courier/Throttle.h"
#include "files/HandleTable.h"
#include "files/OpenFiles.h"
#include "forerun/Mutex.h"
#include "measure/Recording.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

/// \file
/// The courier: one library thread that consumes the streams of records and does with the cache
/// what the pre-execution thread, which may be ended at any instruction, must not do itself.
///
/// It owns all state of the announced future: dirty ranges and parked prefetches (Parking), the
/// window of announced calls that the leash bounds (Announcer, Window), and the decision whether
/// announcing is worthwhile (Throttle). What cannot proceed yet stays in its stream: a full stream
/// stops only its producer.
///
/// Invariants
///  - The main thread never waits for it, except for a Cache call in progress on a handle that is
///    being closed.
///  - It sleeps when there is nothing to do; progress of the main thread wakes it only when it
///    waits for that.
/// Threads: the constructor, `start`, `stop`: any thread except the pre-execution thread; the
/// accessors and `counters`: any.

namespace forerun {

class Courier {
public:
  /// The parts that it works between. All outlive it.
  struct Surroundings {
    EventCount &wake; ///< the consumerWake of both streams
    Stream &pre;
    Stream &hand;
    HandleTable &handles;
    std::function<Cache *()> cache;       ///< null while no file has been opened
    std::function<Progress *()> progress; ///< null before forerun_main_launch
    PrefetchDistance &distance;
    /// Reports on stderr, under FORERUN_DEBUG, what was decided.
    std::function<void(const char *what)> say;
    /// Predictions fail: the pre-execution thread is to end. Does not wait for that.
    std::function<void(const char *why)> giveUp;
  };

  /// The outcome of the records: calls, except the bytes.
  struct Counters {
    std::uint64_t announced = 0, announcedBytes = 0;
    std::uint64_t skippedLate = 0; ///< the main thread was already past the call
    std::uint64_t parked = 0;      ///< waited for a write or a synchronisation point
    /// No room, file closed, suspended while they were parked, or a probe of what is in the
    /// system's memory.
    std::uint64_t dropped = 0;
    std::uint64_t privateReads = 0;
    std::uint64_t synchronisations = 0;
    std::uint64_t withdrawn = 0; ///< depended on a prediction that was wrong
  };

  explicit Courier(const Surroundings &around);
  ~Courier();
  Courier(const Courier &) = delete;
  Courier &operator=(const Courier &) = delete;

  /// Starts the thread; further calls do nothing. To be called before the first record is pushed.
  /// False: no thread could be created, and records are refused.
  bool start();
  /// Shuts the streams, ends the thread. What is still announced stays with the cache.
  void stop();

  OpenFiles &files() { return files_; }
  Throttle &throttle() { return throttle_; }
  const Throttle &throttle() const { return throttle_; }
  Lead &lead() { return lead_; }
  Recording &recording() { return recording_; }
  const Recording &recording() const { return recording_; }
  Counters counters() const;

  /// The main thread's read of \p length bytes went to the file system and took \p elapsedNs: ends
  /// a suspension if there is latency to hide again.
  void noteMissed(std::uint64_t length, std::uint64_t elapsedNs) {
    if (throttle_.missed(length, elapsedNs))
      around_.wake.notify();
  }

  /// The main thread's read was served from the cache.
  void noteServed(const ReadResult &read) {
    recording_.noteServed(read.bytes);
    lead_.noteHidden(read.hiddenNs);
  }

  /// The program is so far ahead that what it leaves for the pre-execution thread would be lost.
  void noteFarAhead() {
    if (!lead_.isResting())
      return;
    lead_.catchUp();
    around_.wake.notify();
  }

  /// What calls by hand have said that the program will write.
  HandDirt &handDirt() { return handDirt_; }
  /// The program has written this; ends what waits for it.
  void noteWritten(const OpenFile &file, std::uint64_t offset, std::uint64_t length) {
    if (!handDirt_.any())
      return;
    handDirt_.written(file.number, offset, length);
    around_.wake.notify();
  }
  /// The program begins an epoch of the file.
  void noteEpoch(const OpenFile &file) {
    if (!handDirt_.any())
      return;
    handDirt_.end(file.number);
    around_.wake.notify();
  }

  /// A fetch has finished; called by engine threads.
  void noteFetched(const FetchEvent &event) {
    const bool probed = throttle_.fetched(event);
    if (announcer_.noteFetched() || probed)
      around_.wake.notify();
  }

  /// One turn of the thread's work, for tests without the thread. True if anything was done.
  bool turn();

private:
  using Clock = std::chrono::steady_clock;
  enum class Verdict { Done, Wait };

  struct Feed {
    Stream &stream;
    bool byHand;
    ArrivingCall arriving{};
  };

  void run();
  void work();
  void giveUp();
  /// What ends the courier's sleep: the main thread's progress, or time.
  struct WakeCondition {
    std::uint64_t passes = 0;
    std::optional<CallId> call{};
    std::optional<Clock::time_point> until{};
    bool operator==(const WakeCondition &) const = default;
  };
  WakeCondition wakeCondition() const;

  // The steps of a turn, in this order.
  void followThrottle();
  void followPredictions();
  bool withdraw();
  bool consume(Feed &feed);
  bool consumeWhatIsLate();
  bool consumeWithoutCache(Feed &feed);
  bool isLate(const Feed &feed) const;

  // Handling a record; Wait leaves it in its stream.
  Verdict take(Feed &feed, const Record &record);
  Verdict takeAhead(Feed &feed, const Record &record, const HandleUse &use);
  Verdict takeRead(Feed &feed, const Record &record, bool byHand);
  bool mayProbe(const Record &record, const HandleUse &use);
  Lead::Read whereIs(CallId call);
  void bring(Stream &stream, const Record &record, Sequence sequence, const HandleUse &use);

  Surroundings around_;
  OpenFiles files_;
  Throttle throttle_;
  Recording recording_;
  Lead lead_;
  HandDirt handDirt_;

  // ---- the courier thread's own ----
  Cache *cache_ = nullptr;
  Progress *progress_ = nullptr;
  Announcer announcer_;
  ParkingLot lot_;
  Feed pre_, hand_;
  bool prefetching_ = true;
  bool waiting_ = false;         ///< the front of the pre-execution thread's stream waits
  bool readWaits_ = false;       ///< and that is a private read
  bool readRests_ = false;       ///< a private read is there, and waits until lead_.restUntil()
  std::deque<CallId> lastReads_; ///< calls of private reads, each once; Lead::kByChance at most
  bool rests_ = false;           ///< the front must wait for restUntil_
  Clock::time_point restUntil_{};
  std::size_t withdrawals_ = 0; ///< how many it has followed
  std::vector<std::byte> staging_;

  // ---- shared ----
  Counter privateReads_{0}, synchronisations_{0};
  std::atomic<bool> stopping_{false};
  std::atomic<bool> started_{false};
  Mutex threadMutex_; ///< start and stop
  std::thread thread_ FORERUN_GUARDED_BY(threadMutex_);
};

} // namespace forerun

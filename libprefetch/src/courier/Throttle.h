// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_THROTTLE_H
#define FORERUN_THROTTLE_H

#include "forerun/Cache.h"
#include "forerun/Mutex.h"

#include <atomic>
#include <cstdint>

/// \file
/// Whether announcing is worth while, judged in two ways.
///
/// Is there latency to hide? Now and then announcements are *probes*. What the system says to be in
/// its page cache is not fetched, and says no. Where the system does not tell, or says that it is
/// not, it is fetched alone, so that the time of the fetch is the storage's latency and not that of
/// a queue. One that is slow beyond doubt says yes: *running*; so do a few in a row that are a
/// little slow, as all is while a program starts and its threads outnumber the cores. One as fast
/// as a copy of memory says no. So many in a row that say no: *suspended*, nothing is announced and
/// the door does not ask the cache, until the main thread's own reads show latency again. A
/// resumption that finds nothing to hide makes the next one harder.
///
/// Are the predictions right? Of every kJudgedCalls announcements that the main thread has passed,
/// half of the bytes must have been read from the cache. If not, the leash is halved; after
/// kMaxFailures times in a row prefetching is *stopped* for good.
///
/// Threads: as said at each function; state is read from any.

namespace forerun {

class Throttle {
public:
  enum class State { Probing, Running, Suspended, Stopped };

  static constexpr unsigned kFastProbes = 8; ///< in a row, to suspend
  static constexpr unsigned kSlowProbes = 4; ///< in a row, to run
  static constexpr std::uint64_t kProbeBytes = std::uint64_t{64} << 10;
  /// Of running: soon at first, for a program's start is full of delays that storage has no part
  /// in.
  static constexpr unsigned kFirstCallsBetweenProbings = 32, kMaxCallsBetweenProbings = 512;
  static constexpr unsigned kJudgedCalls = 64;
  static constexpr unsigned kMaxFailures = 4;

  /// A read of \p bytes is as fast as a copy of memory, and a system call or two around it.
  static constexpr bool isFast(std::uint64_t bytes, std::uint64_t elapsedNs) {
    return elapsedNs <= fastNs(bytes);
  }
  /// No delay of this machine's own makes a read from memory as slow as that.
  static constexpr bool isSlowBeyondDoubt(std::uint64_t bytes, std::uint64_t elapsedNs) {
    return elapsedNs > 8 * fastNs(bytes);
  }

  State state() const { return state_.load(std::memory_order_acquire); }
  /// Whether announcements may go out.
  bool allows() const { return state() <= State::Running; }
  unsigned leashDivisor() const { return 1u << failures_.load(std::memory_order_relaxed); }
  std::uint64_t suspensions() const { return suspensions_.load(std::memory_order_relaxed); }

  /// Always Running, whatever is observed: before the first file is opened.
  void stayRunning() {
    state_ = State::Running;
    fixed_ = true;
  }

  // ---- courier ----
  /// The range about to be announced is the next probe; only while Probing.
  void probe(const CachedFile &file, std::uint64_t offset, std::uint64_t length);
  bool probeIsOut() const { return probeOut_.load(std::memory_order_acquire); }
  void forgetProbe();
  /// What was about to be announced as the next probe is in memory already.
  void noteResident();
  void noteCall(); ///< every now and then this makes it probe again
  /// Announced calls that the main thread has passed; \p servedBytes: read from the cache so far,
  /// in all.
  void noteRetired(std::uint64_t calls, std::uint64_t bytes, std::uint64_t servedBytes);

  // ---- engine threads ----
  /// True if it was the probe: the courier is to be woken.
  bool fetched(const FetchEvent &event);

  // ---- main threads ----
  /// A read has been slow not long ago: the next ones decide.
  bool suspectsLatency() const { return latency_.load(std::memory_order_relaxed) != 0; }
  /// A read that went to the file system. True if it ended a suspension.
  bool missed(std::uint64_t bytes, std::uint64_t elapsedNs) {
    return state_.load(std::memory_order_relaxed) == State::Suspended &&
           missedWhileSuspended(bytes, elapsedNs);
  }

private:
  static constexpr std::uint64_t fastNs(std::uint64_t bytes) {
    constexpr std::uint64_t kCallNs = 40'000, kBytesPerNs = 2;
    return kCallNs + bytes / kBytesPerNs;
  }
  bool missedWhileSuspended(std::uint64_t bytes, std::uint64_t elapsedNs);
  void noteProbe(const FetchEvent &event) FORERUN_REQUIRES(probeMutex_);
  void noteFastProbe() FORERUN_REQUIRES(probeMutex_);
  void judge(std::uint64_t servedBytes);
  bool moveFrom(State from, State to) {
    return !fixed_ && state_.compare_exchange_strong(from, to);
  }

  std::atomic<State> state_{State::Probing};
  bool fixed_ = false;
  std::atomic<unsigned> failures_{0};
  std::atomic<std::uint64_t> suspensions_{0};

  std::atomic<bool> probeOut_{false};
  Mutex probeMutex_; ///< courier and engine threads
  const CachedFile *probeFile_ FORERUN_GUARDED_BY(probeMutex_) = nullptr;
  std::uint64_t probeOffset_ FORERUN_GUARDED_BY(probeMutex_) = 0;
  std::uint64_t probeEnd_ FORERUN_GUARDED_BY(probeMutex_) = 0;
  unsigned fastProbes_ FORERUN_GUARDED_BY(probeMutex_) = 0; ///< in a row, as slowProbes_
  unsigned slowProbes_ FORERUN_GUARDED_BY(probeMutex_) = 0;

  // Courier only.
  unsigned callsSinceProbing_ = 0, callsBetweenProbings_ = kFirstCallsBetweenProbings;
  std::uint64_t judgedCalls_ = 0, judgedBytes_ = 0, servedBefore_ = 0;

  // Main threads: approximate where several read at once.
  std::atomic<std::uint64_t> latency_{0}; ///< evidence of it, in slow reads
  std::atomic<std::uint64_t> latencyToResume_{4};
};

} // namespace forerun

#endif

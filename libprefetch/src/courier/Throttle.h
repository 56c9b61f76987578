// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "courier/FirstLatency.h"
#include "forerun/Cache.h"
#include "forerun/Mutex.h"

#include <atomic>
#include <cstdint>

/// \file
/// Whether announcing is worthwhile, judged in two ways.
///
/// Is there latency to hide? Now and then announcements are *probes*. A range that the system
/// reports to be in its page cache is not fetched, and means no. If the system does not tell, or
/// reports that it is not, the range is fetched alone, so that the time is the storage's latency
/// and not that of a queue. A fetch slow beyond doubt means yes: *running*; so do a few in a row
/// that are a little slow, as all are while a program starts and its threads outnumber the cores.
/// One as fast as a copy of memory means no. Several in a row that mean no: *suspended*, nothing is
/// announced and the door does not ask the cache until the main thread's own reads show latency
/// again. A resumption that finds nothing to hide makes the next one harder.
///
/// Are the predictions right? Of every kJudgedCalls announcements that the main thread has passed,
/// half of the bytes must have been read from the cache. If not, the leash is halved; after
/// kMaxFailures times in a row prefetching is *stopped* for good.
///
/// Threads: as stated at each function; any thread may read the state.

namespace forerun {

class Throttle {
public:
  enum class State { Probing, Running, Suspended, Stopped };

  static constexpr unsigned kFastProbes = 8; ///< in a row, to suspend
  static constexpr unsigned kSlowProbes = 4; ///< in a row, to run
  static constexpr std::uint64_t kProbeBytes = std::uint64_t{64} << 10;
  /// While running: soon at first, since a program's start is full of delays that storage does not
  /// cause.
  static constexpr unsigned kFirstCallsBetweenProbings = 32, kMaxCallsBetweenProbings = 512;
  static constexpr unsigned kJudgedCalls = 64;
  static constexpr unsigned kMaxFailures = 4;

  /// A read of \p bytes is as fast as a copy of memory with a system call or two around it.
  static constexpr bool isFast(std::uint64_t bytes, std::uint64_t elapsedNs) {
    return elapsedNs <= fastNs(bytes);
  }
  /// No delay within this machine makes a read from memory as slow as that.
  static constexpr bool isSlowBeyondDoubt(std::uint64_t bytes, std::uint64_t elapsedNs) {
    return elapsedNs > 8 * fastNs(bytes);
  }

  State state() const { return state_.load(std::memory_order_acquire); }
  /// Whether announcements may go out.
  bool allows() const { return state() <= State::Running; }
  unsigned leashDivisor() const { return 1u << failures_.load(std::memory_order_relaxed); }
  std::uint64_t suspensions() const { return suspensions_.load(std::memory_order_relaxed); }

  /// Always Running, whatever is observed. To be called before the first file is opened.
  void stayRunning() {
    state_ = State::Running;
    fixed_ = true;
    first_.show();
  }
  bool staysRunning() const { return fixed_; }
  FirstLatency &first() { return first_; } ///< any thread

  // ---- courier ----
  /// The range about to be announced is the next probe; only while Probing.
  void probe(const CachedFile &file, std::uint64_t offset, std::uint64_t length);
  bool probeIsOut() const { return probeOut_.load(std::memory_order_acquire); }
  void forgetProbe();
  /// What was about to be announced as the next probe is already in memory.
  void noteResident();
  void noteCall(); ///< from time to time this starts another probing
  /// Announced calls that the main thread has passed; \p servedBytes: total read from the cache so
  /// far.
  void noteRetired(std::uint64_t calls, std::uint64_t bytes, std::uint64_t servedBytes);

  // ---- engine threads ----
  /// True if it was the probe: the courier must be woken.
  bool fetched(const FetchEvent &event);

  // ---- main threads ----
  /// A recent read was slow: the next ones decide.
  bool suspectsLatency() const { return latency_.isAny() || first_.isSuspected(); }
  /// A read that went to the file system. True if it ended a suspension.
  bool missed(std::uint64_t bytes, std::uint64_t elapsedNs) {
    if (!first_.isShown())
      missedAtFirst(bytes, elapsedNs);
    return state_.load(std::memory_order_relaxed) == State::Suspended &&
           missedWhileSuspended(bytes, elapsedNs);
  }

private:
  static constexpr std::uint64_t fastNs(std::uint64_t bytes) {
    constexpr std::uint64_t kCallNs = 40'000, kBytesPerNs = 2;
    return kCallNs + bytes / kBytesPerNs;
  }
  void missedAtFirst(std::uint64_t bytes, std::uint64_t elapsedNs);
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

  FirstLatency first_;

  std::atomic<bool> probeOut_{false};
  Mutex probeMutex_; ///< courier and engine threads
  const CachedFile *probeFile_ FORERUN_GUARDED_BY(probeMutex_) = nullptr;
  std::uint64_t probeOffset_ FORERUN_GUARDED_BY(probeMutex_) = 0;
  std::uint64_t probeEnd_ FORERUN_GUARDED_BY(probeMutex_) = 0;
  unsigned fastProbes_ FORERUN_GUARDED_BY(probeMutex_) = 0; ///< in a row, like slowProbes_
  unsigned slowProbes_ FORERUN_GUARDED_BY(probeMutex_) = 0;

  // Courier only.
  unsigned callsSinceProbing_ = 0, callsBetweenProbings_ = kFirstCallsBetweenProbings;
  std::uint64_t judgedCalls_ = 0, judgedBytes_ = 0, servedBefore_ = 0;

  // Main threads.
  LatencyEvidence latency_;
  std::atomic<std::uint64_t> latencyToResume_{4};
};

} // namespace forerun

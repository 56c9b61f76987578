// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/EventCount.h"
#include "base/OpenedFile.h"
#include "base/Record.h"
#include "channels/AwaitedCall.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mpi.h>

/// \file
/// How far the main thread has come: a counter per call site, and what its opens gave. The main
/// thread only increments; the pre-execution thread and the courier read and sleep.
///
/// The rule for every wait of the pre-execution thread: it ends once the main thread has passed the
/// call that the waiting thread is at. What comes later is late in any case, and what the wait was
/// for may never happen, since a prediction can be wrong. So
///  - at an open, a synchronisation point or a seek to the end it waits until that very call has
///    been passed (waitUntilPassed);
///  - its leash waits for an earlier call, or for that one (Leash);
///  - a full stream, and the bytes of a private read, are waited for until the courier handles what
///    is in the stream. The courier is told of the wait (Stream::waiting), woken when the main
///    thread has passed the call (watch), and from then on holds back nothing that came before it;
///  - a value that is handed over comes when the main thread passes the call (Forwarding), and what
///    other processes send is not awaited beyond that (Exchanged).
/// While prefetching is suspended there is nothing to gain: the courier leaves what comes in the
/// stream, and ends a wait that the main thread has passed at most ten times a second.

namespace forerun {

class Progress {
public:
  explicit Progress(int sites); ///< numbered 0..sites-1; other numbers are ignored
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  // ---- main thread ----
  /// One more execution of \p site is complete; if it was an open, \p opened is what it gave.
  void pass(int site, const OpenedFile &opened = {});

  // ---- any thread ----
  bool hasPassed(CallId call) const; ///< true for calls made by hand
  int sites() const;
  std::uint64_t passed(int site) const;                                            ///< how often
  std::uint64_t passes() const { return passes_.load(std::memory_order_relaxed); } ///< of all sites

  // ---- courier ----
  /// While \p wake is not null, it is notified by the pass that is \p after passes from now, by
  /// every later one, and by that of \p call. Set it before a sleep that progress can end, and
  /// check hasPassed after setting it. A wake-up costs the main thread a system call, so wait for
  /// several passes if possible.
  void watch(EventCount *wake, std::uint64_t after = 1, std::optional<CallId> call = {});

  // ---- pre-execution thread ----
  /// Sleeps until \p call has been passed; no other pass wakes it. One thread at a time, which may
  /// be ended meanwhile.
  void waitUntilPassed(CallId call) { waitUntilPassed(call, call); }
  /// Until either of the two has been passed.
  void waitUntilPassed(CallId call, CallId other);
  /// The thread that waited has ended: nobody has to wake it any more.
  void abandonWait() { changed_.abandon(); }
  /// What the open \p call gave; only after hasPassed(call). MPI_FILE_NULL: nothing.
  OpenedFile opened(CallId call) const;

private:
  void noteOpen(int site, const OpenedFile &opened);

  /// The opens of a site by occurrence, in blocks that double: written entries never move.
  static constexpr unsigned kBlocks = 40;
  struct Site {
    std::atomic<std::uint64_t> passed{0};
    std::array<std::atomic<OpenedFile *>, kBlocks> blocks{};
  };
  struct Place {
    unsigned block;
    std::size_t index;
  };
  static Place placeOf(std::uint64_t occurrence);
  static std::size_t sizeOf(unsigned block);
  bool isSite(int site) const { return site >= 0 && site < count_; }

  int count_;
  std::unique_ptr<Site[]> sites_;
  EventCount changed_; ///< notified when an awaited call has been passed
  AwaitedCall awaited_, awaitedToo_;
  std::atomic<std::uint64_t> passes_{0}; ///< of all sites
  std::atomic<EventCount *> watcher_{nullptr};
  std::atomic<std::uint64_t> watchedPass_{0}; ///< passes_ from which the watcher is notified
  AwaitedCall watched_;                       ///< and the call that notifies it, too
};

} // namespace forerun

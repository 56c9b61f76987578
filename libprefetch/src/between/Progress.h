// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PROGRESS_H
#define FORERUN_PROGRESS_H

#include "base/EventCount.h"
#include "base/OpenedFile.h"
#include "base/Record.h"
#include "between/AwaitedCall.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mpi.h>

/// \file
/// How far the main thread has come: a counter for each call site, and what its opens gave.
/// The main thread only increments; the pre-execution thread and the courier look and sleep.
///
/// The rule for every wait of the pre-execution thread: it does not outlive the main thread's
/// passing of the call at which the former stands. What comes later is late in any case, and what
/// the wait was for may never happen, since a prediction can be wrong. So
///  - at an open, a synchronisation point or a seek to the end it waits for the passing of that very
///    call (waitUntilPassed);
///  - its leash waits for an earlier call, or for that one (Leash);
///  - a full stream, and the bytes of a private read, are waited for until the courier takes up
///    what is in the stream. It is told of the wait (Stream::waiting), woken when the main thread
///    has passed the call (watch), and from then on holds nothing back that came before it;
///  - a value that is handed over comes when the main thread passes the call (Forwarding), and what
///    other processes send is not awaited beyond that (Exchanged).
/// While prefetching is suspended there is nothing to gain: the courier leaves what comes in the
/// stream, and ends a wait that the main thread has passed ten times a second at most.

namespace forerun {

class Progress {
public:
  explicit Progress(int sites); ///< numbered 0..sites-1; other numbers are ignored
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  // ---- main thread ----
  /// One more execution of \p site is over; if it was an open, this is what it gave.
  void pass(int site, const OpenedFile &opened = {});

  // ---- any thread ----
  bool hasPassed(CallId call) const; ///< true for calls made by hand
  int sites() const;
  std::uint64_t passed(int site) const;                                            ///< how often
  std::uint64_t passes() const { return passes_.load(std::memory_order_relaxed); } ///< of all sites

  // ---- courier ----
  /// While \p wake is not null, the pass that is \p after passes from now and every later one
  /// notify it too, and that of \p call: set before a sleep that progress can end, and look at
  /// hasPassed after setting it. A wake-up costs the main thread a system call, so who can wait for
  /// several passes does.
  void watch(EventCount *wake, std::uint64_t after = 1, std::optional<CallId> call = {});

  // ---- pre-execution thread ----
  /// Sleeps until \p call has been passed; no other pass wakes it. One thread at a time, which may
  /// be ended meanwhile.
  void waitUntilPassed(CallId call) { waitUntilPassed(call, call); }
  /// Until one of the two has been passed.
  void waitUntilPassed(CallId call, CallId other);
  /// The thread that waited has ended: nobody has to wake it any more.
  void abandonWait() { changed_.abandon(); }
  /// What the open \p call gave; only after hasPassed(call). MPI_FILE_NULL: none.
  OpenedFile opened(CallId call) const;

private:
  void noteOpen(int site, const OpenedFile &opened);

  /// The opens of a site by occurrence, in blocks that double: what is written never moves.
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
  AwaitedCall watched_;                       ///< ... and the call
};

} // namespace forerun

#endif

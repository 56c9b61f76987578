// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PROGRESS_H
#define FORERUN_PROGRESS_H

#include "base/EventCount.h"
#include "base/OpenedFile.h"
#include "base/Record.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mpi.h>

/// \file
/// How far the main thread has come: a counter for each call site, and what its opens gave.
/// The main thread only increments; the pre-execution thread and the courier look and sleep.

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
  std::uint64_t passed(int site) const; ///< how often

  // ---- courier ----
  /// While \p wake is not null, the pass that is \p after passes from now and every later one
  /// notify it too: set before a sleep that progress can end, and look at hasPassed after setting
  /// it. A wake-up costs the main thread a system call, so who can wait for several passes does.
  void watch(EventCount *wake, std::uint64_t after = 1);

  // ---- pre-execution thread ----
  /// Sleeps until \p call has been passed; no other pass wakes it. One thread at a time, which may
  /// be ended meanwhile.
  void waitUntilPassed(CallId call);
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
  EventCount changed_; ///< notified when the awaited call has been passed
  std::atomic<int> awaitedSite_{-1};
  std::atomic<std::uint64_t> awaitedOccurrence_{0};
  std::atomic<std::uint64_t> passes_{0}; ///< of all sites
  std::atomic<EventCount *> watcher_{nullptr};
  std::atomic<std::uint64_t> watchedPass_{0}; ///< passes_ from which the watcher is notified
};

} // namespace forerun

#endif

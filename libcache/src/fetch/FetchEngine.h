// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_FETCHENGINE_H
#define FORERUN_FETCHENGINE_H

#include "forerun/Cache.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

/// \file
/// The fetch engine: a priority queue of requests (demand before prefetch, program order within),
/// merging of neighbours, and many requests in flight. It knows nothing of pages.
///
///     submit -> RequestQueue -> take -> Transfer -> Backend -> finished -> Completed
///               (order,                 (neighbours  (io_uring, threads,
///                neighbours)             merged)      a reader)
///                              InFlightLimit says how many transfers may be under way
///
/// Invariants
///  - Every submitted request is completed exactly once, without an engine lock held: from an
///  engine
///    thread, or, for what the destructor finds still queued, from the destroying thread.
///  - A request is either queued, issued or done; only a queued one can be raised.
///  - A demand fetch is issued at once even where prefetches fill the limit: a reserve of a quarter
///  of
///    the limit is for demand fetches alone. One that its own submitter reads is not counted.
///  - An engine without work sleeps in the kernel.
/// Threads: every function from any thread (`submitAndRead` without a lock that `Completed` takes),
/// and `submit` and `raise` also from `Completed`. The
/// request belongs to the engine from submit to its completion.

namespace forerun {

/// What a backend reads from: made by `openFile`, given back to `closeFile`.
struct FetchFile;

struct FetchRequest {
  FetchFile *file = nullptr;
  std::uint64_t offset = 0;
  std::size_t length = 0; ///< one run of bytes, at least one, at most a page
  void *buffer = nullptr; ///< aligned to 4 KiB when offset is
  FetchKind kind = FetchKind::Prefetch;
  Sequence sequence = 0; ///< 0 sorts after every announced request of the same kind
  void *owner = nullptr; ///< the submitter's

  // Results, set before completion.
  forerun_rc rc = FORERUN_OK;
  std::size_t bytes = 0; ///< fewer than `length` only at the end of the file, or with an error
  std::uint64_t queuedNs = 0, issuedNs = 0, finishedNs = 0;
  unsigned inFlight = 0; ///< transfers under way when it was issued, its own included

  // The engine's own.
  std::uint64_t arrival = 0; ///< breaks ties of the order
  bool queued = false;
};

class FetchEngine {
public:
  using Completed = std::function<void(FetchRequest &)>;

  /// Starts the first backend that \p config allows and that works here.
  static std::unique_ptr<FetchEngine> create(const CacheConfig &config, Completed completed,
                                             forerun_rc &rc);
  /// Completes what is queued with FORERUN_ERR_STOPPED, then waits for what is issued.
  virtual ~FetchEngine() = default;

  virtual FetchFile *openFile(const FileSource &source, forerun_rc &rc) = 0;
  /// All requests on \p file must have completed. The caller's descriptor stays open; one of our
  /// own (O_DIRECT) is closed, and with it go all POSIX locks that this process holds on the file:
  /// call this where the file is closed anyway.
  virtual void closeFile(FetchFile *file) = 0;

  /// Queues all of \p requests at once, so that neighbours among them are merged.
  virtual void submit(std::span<FetchRequest *const> requests) = 0;
  /// The same, but wakes no engine thread: they are issued after `flush`, or sooner, when one is
  /// awake.
  virtual void queue(std::span<FetchRequest *const> requests) { submit(requests); }
  virtual void flush() {}
  /// For a thread that will wait for \p request and has nothing else to do: may read it there and
  /// then, past the queue, which saves waking one thread to read and another to learn of it.
  virtual void submitAndRead(FetchRequest &request) {
    FetchRequest *one = &request;
    submit({&one, 1});
  }
  /// Turns a queued prefetch into a demand fetch; does nothing if it has been issued or is done.
  virtual void raise(FetchRequest &request) = 0;

  /// The backend of the file that was opened last. Auto takes io_uring where the system allows it,
  /// else threads.
  virtual const char *name() const = 0;
  virtual unsigned inFlightLimit() const = 0; ///< of that backend: where the adaptation stands now
};

} // namespace forerun

#endif

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fetch/FetchRequest.h"

#include <memory>
#include <span>

/// \file
/// The fetch engine: a priority queue of requests (demand before prefetch, then program order),
/// merging of neighbours, and many requests in flight. It knows nothing about pages.
///
///     queue --> RequestQueue --> take --> Transfer --> Backend --> finished --> Completed
///                (order,                 (neighbours   (io_uring, threads,
///                 neighbours)             merged)       a reader)
///     flush           wakes the backend, which takes as many as InFlightLimit allows
///     submit          queue, then flush
///     raise           a queued prefetch becomes a demand fetch; wakes the backend too
///     submitAndRead   Transfer --> Backend::read, in the calling thread --> Completed
///
/// Who flushes: `Cache::flush`, which ends what `Cache::gather` began, and PageCache before it
/// waits for requests that may have been queued without a flush (`close`, `readThrough`). A backend
/// that is awake takes queued requests without being told.
///
/// Invariants
///  - Every submitted request, unless taken back, is completed exactly once, with no engine lock
///    held: from an engine thread, from a thread that submitted it to read it itself, or, if `stop`
///    finds it still queued, from the stopping thread.
///  - A request is either queued, issued or done; only a queued one can be raised.
///  - A demand fetch is issued at once even if prefetches fill the limit: a reserve of a quarter of
///    the limit is only for demand fetches. One that its own submitter reads is not counted.
///  - An engine without work sleeps in the kernel.
/// Threads: every function from any thread (`submitAndRead` without a lock that `Completed`
/// takes), and `submit` and `raise` also from `Completed`. Only `submitAndRead` and `stop`
/// wait for storage; those that wake a backend may make a system call for it, or start a
/// thread.

namespace forerun {

class FetchEngine {
public:
  /// Starts the first backend that \p config allows and that works here.
  static std::unique_ptr<FetchEngine> create(const CacheConfig &config, Completed completed,
                                             forerun_rc &rc);
  virtual ~FetchEngine() = default; ///< stops, if that has not been done
  /// Completes queued requests with FORERUN_ERR_STOPPED, then waits for issued ones. No thread of
  /// the engine is left, and nothing may be submitted any more. Once.
  virtual void stop() {}

  virtual FetchFile *openFile(const FileSource &source, forerun_rc &rc) = 0;
  /// All requests on \p file must have completed. The caller's descriptor stays open; one of our
  /// own (O_DIRECT) is closed, and that drops all POSIX locks that this process holds on the file:
  /// call this where the file is closed anyway.
  virtual void closeFile(FetchFile *file) = 0;

  /// Queues all of \p requests at once, so that neighbours among them are merged. Wakes no engine
  /// thread: they are issued after `flush`, or sooner, if one is awake.
  virtual void queue(std::span<FetchRequest *const> requests) = 0;
  virtual void flush() {}
  virtual void submit(std::span<FetchRequest *const> requests) {
    queue(requests);
    flush();
  }
  /// For a thread that will wait for \p request and has nothing else to do: may read it there and
  /// then, bypassing the queue, which saves waking one thread to read and another to learn of it.
  virtual void submitAndRead(FetchRequest &request) {
    FetchRequest *one = &request;
    submit({&one, 1});
  }
  /// Turns a queued prefetch into a demand fetch; does nothing if it has been issued or is done.
  virtual void raise(FetchRequest &request) = 0;
  /// For a queued prefetch that nobody needs: true if it has not been issued. Then it belongs to
  /// the caller again, and is not completed.
  virtual bool takeBack(FetchRequest & /*request*/) { return false; }

  /// The sectors (a bit each) of a page that peers may have been told about are no longer here.
  /// Waits for nothing, and wakes nobody.
  virtual void dropped(const PeerPage & /*page*/, std::uint64_t /*sectors*/) {}

  /// Messages to peers, about who has what.
  struct Said {
    std::uint64_t messages = 0, packets = 0;
  };
  virtual Said saidToPeers() const { return {}; }

  /// The backend of the file that was opened last. Auto takes io_uring where the system allows it,
  /// otherwise threads.
  virtual const char *name() const = 0;
};

} // namespace forerun

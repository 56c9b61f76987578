// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fetch/Backend.h"
#include "fetch/InFlightLimit.h"
#include "fetch/RequestQueue.h"
#include "forerun/Mutex.h"

#include <memory>
#include <span>
#include <vector>

/// \file
/// One queue and the backend that empties it.
///
/// How far neighbours are merged: always up to 64 KiB. Beyond that only if more is queued than all
/// slots hold: then a slot takes its share of the queue, up to 128 KiB. While slots are free,
/// several requests in flight beat one large one on a storage with latency. More than 128 KiB is
/// slower: Linux's read-ahead splits larger reads into requests of that size, sent one after the
/// other (measured on FUSE with 5 ms, sequential, 32 slots: 64 KiB 390 MiB/s, 128 KiB 720 MiB/s,
/// 256 KiB to 1 MiB 600 MiB/s).
///
/// Neighbours may have a gap of up to 8 KiB between them: it is read too, and discarded. That costs
/// a server less than another request would (10 KiB at 200 MB/s and 50 us), and this machine far
/// less: a tile of an image, whose rows lie an image's width apart, is read in 16 requests instead
/// of 128. The parts of one call may have gaps of up to 64 KiB once more requests wait than there
/// are slots: then the number of requests dominates, and ROMIO's sieving would read the gaps as
/// well. (Tiles of 256 rows of 2 KiB, 16 KiB apart, 1 ms: 3.3 s without, 1.0 s with it.)
///
/// Invariants
///  - A transfer is either free or in flight; `inFlight_` counts the latter.
///  - Nothing is taken after `stop` has begun.
///  - No lock is held while `Completed` or the backend runs.
/// Threads: every function from any thread; `stop` once, last.

namespace forerun {

class FetchLane final : public TransferSource {
public:
  static constexpr std::size_t kAlwaysMergedBytes = std::size_t{64} << 10;
  static constexpr std::size_t kMaxMergedBytes = Transfer::kMaxBytes;
  static constexpr std::size_t kMaxGapBytes = std::size_t{8} << 10;
  static constexpr std::size_t kMaxGapOfOneCallBytes = std::size_t{64} << 10;

  /// \p backend and \p completed must outlive the lane.
  FetchLane(Backend &backend, unsigned maxInFlight, const Completed &completed);

  /// Starts the backend. After a failure the lane is unusable.
  forerun_rc start();
  void stop();

  /// Null if there is no memory.
  std::unique_ptr<FetchFile> openFile(const FileSource &source, bool direct);

  void queue(std::span<FetchRequest *const> requests);
  void flush();
  void submitAndRead(FetchRequest &request);
  void raise(FetchRequest &request);
  bool takeBack(FetchRequest &request);

  Transfer *take() override;
  void finished(Transfer &transfer) override;

  const char *name() const { return backend_.name(); }

private:
  unsigned issuable() const FORERUN_REQUIRES(mutex_);

  Backend &backend_;
  const Completed &completed_;
  const unsigned reserve_; ///< slots above the limit, for demand fetches

  Mutex mutex_;
  RequestQueue queue_ FORERUN_GUARDED_BY(mutex_);
  InFlightLimit inFlightLimit_ FORERUN_GUARDED_BY(mutex_);
  unsigned inFlight_ FORERUN_GUARDED_BY(mutex_) = 0;
  bool stopping_ FORERUN_GUARDED_BY(mutex_) = false;
  std::vector<Transfer> transfers_; ///< a taken one belongs to its taker, the rest are not touched
  std::vector<Transfer *> freeTransfers_ FORERUN_GUARDED_BY(mutex_);
};

} // namespace forerun

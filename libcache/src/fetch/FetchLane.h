// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_FETCHLANE_H
#define FORERUN_FETCHLANE_H

#include "fetch/Backend.h"
#include "fetch/InFlightLimit.h"
#include "fetch/RequestQueue.h"

#include <mutex>
#include <vector>

/// \file
/// One queue and the backend that empties it.
///
/// How far neighbours are merged: up to 64 KiB always. Beyond that only where more is queued than
/// all slots hold: then a slot takes its share of the queue, up to 128 KiB. While slots are free,
/// several requests under way at once beat one large one on a storage with latency. More than
/// 128 KiB is slower: Linux's read-ahead cuts larger reads into requests of that size, which it
/// sends one after the other (measured on FUSE with 5 ms, sequential, 32 slots: 64 KiB 390, 128 KiB
/// 720, 256 KiB to 1 MiB 600 MiB/s).
///
/// Neighbours may have a gap of up to 8 KiB between them: it is read too, and thrown away. That
/// costs a server less than one request more (10 KiB at 200 MB/s and 50 us), and this machine far
/// less: a tile of an image, whose rows lie an image's width apart, is read in 16 requests in place
/// of 128. The parts of one call may have gaps of up to 64 KiB once more requests wait than there
/// are slots: then it is the number of requests that takes the time, and ROMIO, sieving, would read
/// these gaps as well. (Tiles of 256 rows of 2 KiB, 16 KiB apart, 1 ms: 3.3 s without, 1.0 with
/// it.)
///
/// Invariants
///  - A transfer is either free or under way; `inFlight_` counts the latter.
///  - Nothing is taken after `stop` began.
///  - No lock is held while `Completed` or the backend runs.
/// Threads: every function from any thread; `stop` once, last.

namespace forerun {

class FetchLane final : public TransferSource {
public:
  static constexpr std::size_t kAlwaysMergedBytes = std::size_t{64} << 10;
  static constexpr std::size_t kMostMergedBytes = Transfer::kMostBytes;
  static constexpr std::size_t kMostGapBytes = std::size_t{8} << 10;
  static constexpr std::size_t kMostGapOfOneCallBytes = std::size_t{64} << 10;

  FetchLane(const Backend &backend, unsigned mostInFlight, const FetchEngine::Completed &completed);

  forerun_rc start();
  void stop();

  FetchFile *openFile(const FileSource &source, bool direct, forerun_rc &rc);
  void closeFile(FetchFile *file);

  void queue(std::span<FetchRequest *const> requests);
  void flush();
  void submitAndRead(FetchRequest &request);
  void raise(FetchRequest &request);

  Transfer *take() override;
  void finished(Transfer &transfer) override;

  const Backend &backend() const { return table_; }
  unsigned limit() const;

private:
  unsigned issuable() const;
  Reach reach() const;
  Reach reachOfOneCall(Reach usual) const;
  void wake(unsigned count);

  const Backend &table_;
  const FetchEngine::Completed &completed_;
  BackendState *state_ = nullptr;
  const unsigned reserve_; ///< slots above the limit, for demand fetches

  mutable std::mutex mutex_; // protects all below
  RequestQueue queue_;
  InFlightLimit inFlightLimit_;
  unsigned inFlight_ = 0;
  bool stopping_ = false;
  std::vector<Transfer> transfers_;
  std::vector<Transfer *> freeTransfers_;
};

} // namespace forerun

#endif

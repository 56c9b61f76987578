// SPDX-License-Identifier: Apache-2.0
#include "fetch/FetchLane.h"

#include "forerun/Clock.h"

#include <algorithm>
#include <array>

namespace forerun {

FetchLane::FetchLane(Backend &backend, unsigned maxInFlight, const Completed &completed)
    : backend_(backend), completed_(completed), reserve_(maxInFlight / 4 + 1),
      inFlightLimit_(maxInFlight), transfers_(maxInFlight + reserve_) {
  freeTransfers_.reserve(transfers_.size());
  for (Transfer &transfer : transfers_)
    freeTransfers_.push_back(&transfer);
}

forerun_rc FetchLane::start() {
  return backend_.start(*this, static_cast<unsigned>(transfers_.size()));
}

void FetchLane::stop() {
  std::vector<FetchRequest *> dropped;
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    while (!queue_.empty())
      dropped.push_back(&queue_.takeFirst());
  }
  for (FetchRequest *request : dropped) {
    request->rc = FORERUN_ERR_STOPPED;
    request->issuedNs = request->finishedNs = nowNs();
    completed_(*request);
  }
  backend_.stop();
}

std::unique_ptr<FetchFile> FetchLane::openFile(const FileSource &source, bool direct) {
  std::unique_ptr<FetchFile> file = backend_.openFile(source, direct);
  if (file)
    file->lane = this;
  return file;
}

/// The maximum number of transfers that may be started now: merging can make them fewer.
unsigned FetchLane::issuable() const {
  if (queue_.empty() || stopping_)
    return 0;
  unsigned slots = inFlightLimit_.value();
  if (queue_.first().kind == FetchKind::Demand)
    slots += reserve_;
  if (inFlight_ >= slots)
    return 0;
  return static_cast<unsigned>(std::min<std::size_t>(slots - inFlight_, queue_.size()));
}

void FetchLane::queue(std::span<FetchRequest *const> requests) {
  std::uint64_t now = nowNs();
  const MutexLock lock(mutex_);
  for (FetchRequest *request : requests) {
    request->queuedNs = now;
    queue_.insert(*request);
  }
}

void FetchLane::flush() {
  unsigned count = 0;
  {
    const MutexLock lock(mutex_);
    count = issuable();
  }
  if (count > 0)
    backend_.wake(count);
}

void FetchLane::submitAndRead(FetchRequest &request) {
  Transfer transfer;
  FetchRequest *one = &request;
  transfer.begin({&one, 1});
  request.queuedNs = transfer.issuedNs = nowNs();
  {
    const MutexLock lock(mutex_);
    transfer.inFlight = inFlight_ + 1;
  }
  transfer.file()->read(transfer);
  transfer.settle(nowNs());
  completed_(request);
}

void FetchLane::raise(FetchRequest &request) {
  {
    const MutexLock lock(mutex_);
    queue_.raise(request);
  }
  flush();
}

bool FetchLane::takeBack(FetchRequest &request) {
  const MutexLock lock(mutex_);
  return queue_.takeOut(request);
}

Transfer *FetchLane::take() {
  const MutexLock lock(mutex_);
  if (issuable() == 0)
    return nullptr;
  std::array<FetchRequest *, Transfer::kMaxRequests> run;
  const std::size_t share = queue_.bytes() / inFlightLimit_.value();
  const Reach usual{std::clamp(share, kAlwaysMergedBytes, kMaxMergedBytes), kMaxGapBytes};
  const bool isCrowded = queue_.size() > inFlightLimit_.value();
  const Reach ofOneCall = isCrowded ? Reach{kMaxMergedBytes, kMaxGapOfOneCallBytes} : usual;
  std::size_t count = queue_.takeRun(usual, ofOneCall, run);
  Transfer *transfer = freeTransfers_.back();
  freeTransfers_.pop_back();
  ++inFlight_;
  transfer->begin({run.data(), count});
  transfer->issuedNs = nowNs();
  transfer->inFlight = inFlight_;
  return transfer;
}

void FetchLane::finished(Transfer &transfer) {
  std::uint64_t now = nowNs();
  transfer.settle(now);
  // From here on the requests, one after the other, belong to their submitter again.
  for (FetchRequest *request : transfer.requests())
    completed_(*request);

  unsigned count = 0;
  {
    const MutexLock lock(mutex_);
    inFlightLimit_.finished(transfer.bytes(), now - transfer.issuedNs, now, !queue_.empty());
    freeTransfers_.push_back(&transfer);
    --inFlight_;
    count = issuable();
  }
  // The caller takes the next one itself.
  if (count > 1)
    backend_.wake(count - 1);
}

} // namespace forerun

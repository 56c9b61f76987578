// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fetch/FetchEngine.h"
#include "forerun/Mutex.h"

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <utility>
#include <vector>

/// \file
/// A fetch engine controlled by the test: a request is read and completed when the test says so, in
/// the order it chooses. All requests are for one file, whose content the test sets.

namespace forerun {

class FakeEngine final : public FetchEngine {
public:
  explicit FakeEngine(Completed completed) : completed_(std::move(completed)) {}

  FetchFile *openFile(const FileSource &source, forerun_rc &rc) override {
    file_.useDescriptor(source.fd);
    rc = openRc;
    return rc == FORERUN_OK ? &file_ : nullptr;
  }
  void closeFile(FetchFile *) override {
    const MutexLock lock(mutex_);
    ++closed_;
  }
  void submit(std::span<FetchRequest *const> requests) override {
    const MutexLock lock(mutex_);
    for (FetchRequest *request : requests) {
      request->queuedNs = clockNs_;
      queued_.push_back(request);
    }
    submitted_ += requests.size();
    changed_.notify_all();
  }
  void queue(std::span<FetchRequest *const> requests) override {
    submit(requests);
    const MutexLock lock(mutex_);
    unflushed_ += requests.size();
  }
  void flush() override {
    const MutexLock lock(mutex_);
    unflushed_ = 0;
    changed_.notify_all();
  }
  void raise(FetchRequest &request) override {
    const MutexLock lock(mutex_);
    for (const FetchRequest *queued : queued_)
      if (queued == &request && request.kind == FetchKind::Prefetch) {
        request.kind = FetchKind::Demand;
        ++raised_;
        changed_.notify_all();
      }
  }
  bool takeBack(FetchRequest &request) override {
    const MutexLock lock(mutex_);
    return request.kind == FetchKind::Prefetch && std::erase(queued_, &request) != 0;
  }
  const char *name() const override { return "fake"; }

  // ---- the test's side ----
  std::vector<char> content;         ///< of the file as the storage has it now
  forerun_rc openRc = FORERUN_OK;    ///< what openFile says
  std::uint64_t fetchNs = 1'000'000; ///< how long a fetch takes, on the fake clock

  /// Waits until \p count requests have been submitted in all.
  void waitForSubmitted(std::size_t count) {
    MutexLock lock(mutex_);
    while (submitted_ < count)
      lock.wait(changed_);
  }
  void waitForRaised(std::size_t count) {
    MutexLock lock(mutex_);
    while (raised_ < count)
      lock.wait(changed_);
  }
  void waitForFlush() {
    MutexLock lock(mutex_);
    while (unflushed_ > 0)
      lock.wait(changed_);
  }
  std::size_t unflushed() const {
    const MutexLock lock(mutex_);
    return unflushed_;
  }
  std::size_t submitted() const {
    const MutexLock lock(mutex_);
    return submitted_;
  }
  std::size_t raised() const {
    const MutexLock lock(mutex_);
    return raised_;
  }
  std::size_t closed() const {
    const MutexLock lock(mutex_);
    return closed_;
  }
  /// The source through which the file is read.
  int descriptor() const { return file_.descriptor; }
  /// Requests neither read nor failed, in the order of their submission.
  std::vector<FetchRequest> queued() const {
    const MutexLock lock(mutex_);
    std::vector<FetchRequest> copies;
    for (const FetchRequest *request : queued_)
      copies.push_back(*request);
    return copies;
  }

  /// The storage reads the request at \p offset: it gets the content as it is now.
  void readAt(std::uint64_t offset) { serve(takeQueued(offset)); }
  /// A request that was read is completed.
  void deliver(std::uint64_t offset) { complete(*takeServed(offset), FORERUN_OK); }
  /// Reads and completes.
  void finish(std::uint64_t offset) {
    readAt(offset);
    deliver(offset);
  }
  void fail(std::uint64_t offset) { complete(*takeQueued(offset), FORERUN_ERR_IO); }
  /// Reads and completes all that is queued, first submitted first.
  void finishAll() {
    for (;;) {
      FetchRequest *request = nullptr;
      {
        const MutexLock lock(mutex_);
        if (queued_.empty())
          return;
        request = queued_.front();
      }
      finish(request->offset);
    }
  }

private:
  using Requests = std::vector<FetchRequest *>;

  FetchRequest *takeQueued(std::uint64_t offset) {
    const MutexLock lock(mutex_);
    return take(queued_, offset);
  }
  FetchRequest *takeServed(std::uint64_t offset) {
    const MutexLock lock(mutex_);
    return take(served_, offset);
  }
  /// Such a request has to exist: std::vector::at throws otherwise.
  static FetchRequest *take(Requests &from, std::uint64_t offset) {
    std::size_t at = 0;
    while (from.at(at)->offset != offset)
      ++at;
    FetchRequest *request = from[at];
    from.erase(from.begin() + static_cast<std::ptrdiff_t>(at));
    return request;
  }
  void serve(FetchRequest *request) {
    const std::size_t size = content.size();
    const std::size_t from = std::min<std::size_t>(request->offset, size);
    request->bytes = std::min(request->length, size - from);
    if (request->bytes > 0)
      std::memcpy(request->buffer, content.data() + from, request->bytes);
    const MutexLock lock(mutex_);
    served_.push_back(request);
  }
  void complete(FetchRequest &request, forerun_rc rc) {
    {
      const MutexLock lock(mutex_);
      request.issuedNs = clockNs_;
      clockNs_ += fetchNs;
      request.finishedNs = clockNs_;
    }
    request.rc = rc;
    completed_(request);
  }

  const Completed completed_;
  struct File final : FetchFile {
    void useDescriptor(int fd) override { descriptor = fd; }
    std::atomic<int> descriptor = -1;
  };
  File file_;
  mutable Mutex mutex_;
  std::condition_variable changed_;
  Requests queued_ FORERUN_GUARDED_BY(mutex_), served_ FORERUN_GUARDED_BY(mutex_);
  std::size_t submitted_ FORERUN_GUARDED_BY(mutex_) = 0;
  std::size_t unflushed_ FORERUN_GUARDED_BY(mutex_) = 0;
  std::size_t raised_ FORERUN_GUARDED_BY(mutex_) = 0;
  std::size_t closed_ FORERUN_GUARDED_BY(mutex_) = 0;
  std::uint64_t clockNs_ FORERUN_GUARDED_BY(mutex_) = 0;
};

} // namespace forerun

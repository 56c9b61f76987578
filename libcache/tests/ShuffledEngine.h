// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fetch/FetchEngine.h"
#include "forerun/Mutex.h"

#include <condition_variable>
#include <random>
#include <thread>
#include <unistd.h>
#include <vector>

/// \file
/// A fetch engine that serves its requests in random order, from several threads, keeps what it has
/// read for a random while, and fails now and then.

namespace forerun {

class ShuffledEngine final : public FetchEngine {
public:
  ShuffledEngine(Completed completed, std::uint64_t seed) : completed_(std::move(completed)) {
    for (unsigned thread = 0; thread < 3; ++thread)
      threads_.emplace_back([this, seed, thread] { serve(seed + thread); });
  }
  ~ShuffledEngine() override {
    {
      const MutexLock lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    for (std::thread &thread : threads_)
      thread.join();
  }
  ShuffledEngine(const ShuffledEngine &) = delete;
  ShuffledEngine &operator=(const ShuffledEngine &) = delete;

  FetchFile *openFile(const FileSource &source, forerun_rc &rc) override {
    rc = FORERUN_OK;
    fd_ = source.fd;
    return &file_;
  }
  void closeFile(FetchFile *) override {}
  void queue(std::span<FetchRequest *const> requests) override {
    const MutexLock lock(mutex_);
    queued_.insert(queued_.end(), requests.begin(), requests.end());
    changed_.notify_all();
  }
  void raise(FetchRequest &) override {}
  const char *name() const override { return "shuffled"; }

private:
  void serve(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    MutexLock lock(mutex_);
    for (;;) {
      while (!ending_ && queued_.empty())
        lock.wait(changed_);
      if (queued_.empty())
        return;
      std::swap(queued_[random() % queued_.size()], queued_.back());
      FetchRequest &request = *queued_.back();
      queued_.pop_back();
      lock.unlock();
      const ssize_t got =
          pread(fd_, request.buffer, request.length, static_cast<off_t>(request.offset));
      request.rc = got < 0 || random() % 64 == 0 ? FORERUN_ERR_IO : FORERUN_OK;
      request.bytes = got < 0 ? 0 : static_cast<std::size_t>(got);
      if (random() % 8 == 0)
        std::this_thread::yield();
      completed_(request);
      lock.lock();
    }
  }

  const Completed completed_;
  FetchFile file_;
  Mutex mutex_;
  std::condition_variable changed_;
  std::vector<FetchRequest *> queued_ FORERUN_GUARDED_BY(mutex_);
  bool ending_ FORERUN_GUARDED_BY(mutex_) = false;
  int fd_ = -1; ///< of the one file; constant once it is open
  std::vector<std::thread> threads_;
};

} // namespace forerun

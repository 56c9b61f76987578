// SPDX-License-Identifier: Apache-2.0
#include "fetch/ThreadPool.h"

#include "fetch/EngineThread.h"

#include <algorithm>
#include <semaphore.h>
#include <utility>

namespace forerun {

/// Rung once, heard once. Not std::binary_semaphore: that yields the processor several times before
/// it sleeps, each a system call and often a useless switch to another thread.
class Bell {
public:
  Bell() { sem_init(&semaphore_, 0, 0); }
  ~Bell() { sem_destroy(&semaphore_); }
  Bell(const Bell &) = delete;
  Bell &operator=(const Bell &) = delete;

  void ring() { sem_post(&semaphore_); }
  void await() {
    while (sem_wait(&semaphore_) != 0) // interrupted
      ;
  }

private:
  sem_t semaphore_;
};

forerun_rc ThreadPool::start(TransferSource &source, unsigned maxThreads) {
  source_ = &source;
  maxThreads_ = maxThreads;
  const MutexLock lock(mutex_);
  workers_.reserve(maxThreads);
  sleepers_.reserve(maxThreads);
  return spawn() ? FORERUN_OK : FORERUN_ERR_MEMORY;
}

void ThreadPool::wake(unsigned count) {
  const MutexLock lock(mutex_);
  for (unsigned i = 0; i < count; ++i) {
    if (!sleepers_.empty()) {
      sleepers_.back()->ring();
      sleepers_.pop_back();
    } else if (!spawn()) {
      tickets_ = std::min(tickets_ + 1, maxThreads_);
    }
  }
}

void ThreadPool::stop() {
  std::vector<std::thread> workers;
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    for (Bell *sleeper : sleepers_)
      sleeper->ring();
    sleepers_.clear();
    workers = std::move(workers_);
  }
  // No thread is made any more.
  for (std::thread &worker : workers)
    worker.join();
}

bool ThreadPool::spawn() {
  if (workers_.size() == maxThreads_ || stopping_)
    return false;
  std::thread thread = startEngineThread([this] { work(); });
  if (!thread.joinable())
    return false;
  workers_.push_back(std::move(thread));
  return true;
}

void ThreadPool::work() {
  Bell bell;
  do {
    while (Transfer *transfer = source_->take()) {
      transfer->file()->read(*transfer);
      source_->finished(*transfer);
    }
  } while (sleep(bell));
}

/// False if the pool stops.
bool ThreadPool::sleep(Bell &bell) {
  {
    const MutexLock lock(mutex_);
    if (stopping_)
      return false;
    if (tickets_ > 0) {
      --tickets_;
      return true;
    }
    sleepers_.push_back(&bell);
  }
  bell.await();
  return true;
}

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#include "fetch/ThreadPool.h"

#include "fetch/EngineThread.h"

#include <algorithm>
#include <memory>
#include <semaphore.h>

namespace forerun {

/// Rung once, heard once. Not std::binary_semaphore: that one yields the processor several times
/// before it sleeps, each a system call and often a switch to another thread for nothing.
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

ThreadPool::ThreadPool(TransferSource &source, unsigned mostThreads, Read read)
    : source_(source), most_(mostThreads), read_(read) {
  workers_.reserve(most_);
  sleepers_.reserve(most_);
}

bool ThreadPool::startOne() {
  std::lock_guard lock(mutex_);
  return spawn();
}

void ThreadPool::wake(unsigned count) {
  std::lock_guard lock(mutex_);
  for (unsigned i = 0; i < count; ++i) {
    if (!sleepers_.empty()) {
      sleepers_.back()->ring();
      sleepers_.pop_back();
    } else if (!spawn()) {
      tickets_ = std::min(tickets_ + 1, most_);
    }
  }
}

void ThreadPool::stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    for (Bell *sleeper : sleepers_)
      sleeper->ring();
    sleepers_.clear();
  }
  for (auto &worker : workers_)
    worker.join();
}

/// With the lock held.
bool ThreadPool::spawn() {
  if (workers_.size() == most_ || stopping_)
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
    while (Transfer *transfer = source_.take()) {
      read_(*transfer);
      source_.finished(*transfer);
    }
  } while (sleep(bell));
}

/// False if the pool stops.
bool ThreadPool::sleep(Bell &bell) {
  {
    std::lock_guard lock(mutex_);
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

namespace {

ThreadPool &poolOf(BackendState *state) { return *reinterpret_cast<ThreadPool *>(state); }

} // namespace

BackendState *startPool(TransferSource &source, unsigned mostInFlight, ThreadPool::Read read,
                        forerun_rc &rc) {
  auto pool = std::make_unique<ThreadPool>(source, mostInFlight, read);
  if (!pool->startOne()) {
    rc = FORERUN_ERR_MEMORY;
    return nullptr;
  }
  rc = FORERUN_OK;
  return reinterpret_cast<BackendState *>(pool.release());
}

void stopPool(BackendState *state) {
  poolOf(state).stop();
  delete &poolOf(state);
}

void wakePool(BackendState *state, unsigned count) { poolOf(state).wake(count); }

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#include "Backend.h"
#include "EngineThread.h"
#include "PosixFile.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <semaphore.h>
#include <vector>

/// \file
/// Reads with preadv, one thread for each transfer under way.
///
/// Threads are made when more are called for than sleep, up to the limit. The one that fell asleep
/// last is woken first: its stack and caches are still warm, and where one is enough the others
/// never wake.
///
/// A wake that finds nobody asleep leaves a ticket, which sends the next one that wants to sleep
/// round again: work that is queued between a thread's last look and its sleep is not lost.

namespace forerun {

namespace {

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

class ThreadPool {
public:
  ThreadPool(TransferSource &source, unsigned mostThreads) : source_(source), most_(mostThreads) {
    workers_.reserve(most_);
    sleepers_.reserve(most_);
  }

  bool startOne() {
    std::lock_guard lock(mutex_);
    return spawn();
  }

  void wake(unsigned count) {
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

  void stop() {
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

private:
  /// With the lock held.
  bool spawn() {
    if (workers_.size() == most_ || stopping_)
      return false;
    std::thread thread = startEngineThread([this] { work(); });
    if (!thread.joinable())
      return false;
    workers_.push_back(std::move(thread));
    return true;
  }

  void work() {
    Bell bell;
    do {
      while (Transfer *transfer = source_.take()) {
        readBlocking(*transfer);
        source_.finished(*transfer);
      }
    } while (sleep(bell));
  }

  /// False if the pool stops.
  bool sleep(Bell &bell) {
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

  TransferSource &source_;
  const unsigned most_;
  std::mutex mutex_; // protects all below; held for no system call but a futex wake or a new thread
  std::vector<std::thread> workers_;
  std::vector<Bell *> sleepers_;
  unsigned tickets_ = 0;
  bool stopping_ = false;
};

ThreadPool &poolOf(BackendState *state) { return *reinterpret_cast<ThreadPool *>(state); }

BackendState *start(TransferSource &source, unsigned mostInFlight, forerun_rc &rc) {
  auto pool = std::make_unique<ThreadPool>(source, mostInFlight);
  if (!pool->startOne()) {
    rc = FORERUN_ERR_MEMORY;
    return nullptr;
  }
  rc = FORERUN_OK;
  return reinterpret_cast<BackendState *>(pool.release());
}

void stop(BackendState *state) {
  poolOf(state).stop();
  delete &poolOf(state);
}

void wake(BackendState *state, unsigned count) { poolOf(state).wake(count); }

FetchFile *openFile(BackendState * /*state*/, const FileSource &file, bool direct, forerun_rc &rc) {
  return PosixFile::open(file, direct, rc);
}

void closeFile(BackendState * /*state*/, FetchFile *file) { delete static_cast<PosixFile *>(file); }

} // namespace

const Backend kThreadBackend = {
    .name = "threads",
    .serves = servesPosix,
    .start = start,
    .stop = stop,
    .wake = wake,
    .read = readBlocking,
    .openFile = openFile,
    .closeFile = closeFile,
};

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_THREADPOOL_H
#define FORERUN_THREADPOOL_H

#include "fetch/Backend.h"

#include <mutex>
#include <thread>
#include <vector>

/// \file
/// Reads with calls that block, one thread for each transfer under way: what backends have in
/// common that know no better way.
///
/// Threads are made when more are called for than sleep, up to the limit. The one that fell asleep
/// last is woken first: its stack and caches are still warm, and where one is enough the others
/// never wake.
///
/// A wake that finds nobody asleep leaves a ticket, which sends the next one that wants to sleep
/// round again: work that is queued between a thread's last look and its sleep is not lost.

namespace forerun {

class Bell;

class ThreadPool {
public:
  /// Reads a transfer to its end.
  using Read = void (*)(Transfer &transfer);

  ThreadPool(TransferSource &source, unsigned mostThreads, Read read);

  bool startOne();
  void wake(unsigned count);
  void stop();

private:
  bool spawn();
  void work();
  bool sleep(Bell &bell);

  TransferSource &source_;
  const unsigned most_;
  const Read read_;
  std::mutex mutex_; // protects all below; held for no system call but a futex wake or a new thread
  std::vector<std::thread> workers_;
  std::vector<Bell *> sleepers_;
  unsigned tickets_ = 0;
  bool stopping_ = false;
};

// What a backend's table names, where its state is a pool.
BackendState *startPool(TransferSource &source, unsigned mostInFlight, ThreadPool::Read read,
                        forerun_rc &rc);
void stopPool(BackendState *state);
void wakePool(BackendState *state, unsigned count);

} // namespace forerun

#endif

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fetch/Backend.h"
#include "forerun/Mutex.h"

#include <thread>
#include <vector>

/// \file
/// Has files read by blocking calls (FetchFile::read), one thread per transfer in flight.
///
/// Threads are made when more are requested than sleep, up to the limit. The one that fell asleep
/// last is woken first: its stack and caches are still warm, and if one is enough the others never
/// wake.
///
/// A wake that finds no thread asleep leaves a ticket, which makes the next thread that is about to
/// sleep check again: work queued between a thread's last check and its sleep is not lost.
///
/// Threads: like Backend's functions of the same names.

namespace forerun {

class Bell;

class ThreadPool {
public:
  forerun_rc start(TransferSource &source, unsigned maxThreads);
  void wake(unsigned count);
  void stop();

private:
  bool spawn() FORERUN_REQUIRES(mutex_);
  void work();
  bool sleep(Bell &bell);

  TransferSource *source_ = nullptr; ///< constant once a thread runs
  unsigned maxThreads_ = 0;          ///< likewise

  Mutex mutex_; ///< held for no system call except a futex wake or a new thread
  std::vector<std::thread> workers_ FORERUN_GUARDED_BY(mutex_);
  std::vector<Bell *> sleepers_ FORERUN_GUARDED_BY(mutex_);
  unsigned tickets_ FORERUN_GUARDED_BY(mutex_) = 0;
  bool stopping_ FORERUN_GUARDED_BY(mutex_) = false;
};

} // namespace forerun

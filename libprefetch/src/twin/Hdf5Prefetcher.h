// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Mutex.h"
#include "twin/Hdf5Read.h"
#include "twin/Hdf5Twin.h"
#include "twin/TwinThread.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <string>

/// \file
/// Announces what calls of H5Dread will read: a queue of them, and the thread that has a twin of
/// HDF5 determine which bytes they are.
///
/// Invariants
///  - The thread and the twin are made for the first read; a program without one has neither.
///  - A thread that posts waits neither for storage nor for the twin. What has no room is dropped.
///  - Once a twin cannot be loaded, or has ended, everything is dropped.
/// Threads: `stop` once, everything else any.

namespace forerun {

class Hdf5Prefetcher {
public:
  static constexpr std::size_t kMaxReads = 1024;                  ///< that wait
  static constexpr std::size_t kMaxBytes = std::size_t{16} << 20; ///< in these

  /// \p library: the path of the program's HDF5. \p say: on stderr, under FORERUN_DEBUG.
  Hdf5Prefetcher(const Hdf5Twin::Surroundings &around, std::string library,
                 std::function<void(const std::string &what)> say);
  Hdf5Prefetcher(const Hdf5Prefetcher &) = delete;
  Hdf5Prefetcher &operator=(const Hdf5Prefetcher &) = delete;

  void post(Hdf5Read read);
  void awaitIdle(); ///< until everything posted has become records on the stream
  void stop();      ///< ends the thread

private:
  void work();
  bool load();
  /// The next read; false: there will be none.
  bool take(Hdf5Read &read);
  void giveUp(const std::string &why);

  const std::string library_;
  const std::function<void(const std::string &)> say_;
  TwinThread thread_;
  Hdf5Twin twin_;
  bool saidUnknown_ = false; ///< the thread's own

  Mutex mutex_;
  std::condition_variable posted_, idle_;
  std::deque<Hdf5Read> queue_ FORERUN_GUARDED_BY(mutex_);
  std::size_t bytes_ FORERUN_GUARDED_BY(mutex_) = 0; ///< in the queue
  bool started_ FORERUN_GUARDED_BY(mutex_) = false;
  bool busy_ FORERUN_GUARDED_BY(mutex_) = false;
  bool closed_ FORERUN_GUARDED_BY(mutex_) = false; ///< nothing is accepted any more
  bool saidFull_ FORERUN_GUARDED_BY(mutex_) = false;
};

} // namespace forerun

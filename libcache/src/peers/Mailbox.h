// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fetch/FetchRequest.h"
#include "forerun/Clock.h"
#include "forerun/Mutex.h"
#include "peers/Peer.h"

#include <algorithm>
#include <condition_variable>
#include <new>
#include <span>
#include <utility>
#include <vector>

/// \file
/// What any thread leaves for the service of a PeerEngine, and what that says of itself in return.
///
/// Invariants
///  - A request that is wanted has its number before the service gets it, and keeps it.
///  - No want is taken once the service is to stop, or has broken off.
/// Threads: any; `take` is the service's.

namespace forerun {

class Mailbox {
public:
  /// Information that may be lost for lack of memory.
  struct Hint {
    WantNumber raise = 0; ///< 0: `page` has been dropped
    PeerPage page{};
    Sectors sectors = 0;
  };
  struct Mail {
    RequestList requests; ///< new wants, and parts that are done
    std::vector<Hint> hints;
    bool isLast; ///< the storage is no longer to be asked
  };

  /// False: nothing more is wanted from others.
  bool want(std::span<FetchRequest *const> requests) {
    const MutexLock lock(mutex_);
    if (!takesWants_)
      return false;
    for (FetchRequest *request : requests) {
      lastWant_ = std::max(lastWant_ + 1, WantNumber{1}); // 0 is none
      request->want = lastWant_;
      request->queuedNs = nowNs();
      requests_.push(*request);
    }
    return true;
  }
  /// Its number; 0: it is not wanted from others.
  WantNumber wantOf(const FetchRequest &request) const {
    const MutexLock lock(mutex_);
    return request.want;
  }
  void partDone(FetchRequest &part) {
    const MutexLock lock(mutex_);
    requests_.push(part);
  }
  void hint(const Hint &hint) try {
    const MutexLock lock(mutex_);
    hints_.push_back(hint);
  } catch (const std::bad_alloc &) {
    return;
  }
  bool hasRequests() const {
    const MutexLock lock(mutex_);
    return !requests_.empty();
  }
  Peer::Counts counts() const { ///< as of the last `take`
    const MutexLock lock(mutex_);
    return counts_;
  }

  /// The service is to stop: \p wake wakes it. Returns when it knows.
  template <typename Wake> void stop(const Wake &wake) {
    MutexLock lock(mutex_);
    stopping_ = true;
    takesWants_ = false;
    wake();
    while (!isLast_)
      lock.wait(known_);
  }

  Mail take(const Peer::Counts &counts, bool brokeOff) {
    const MutexLock lock(mutex_);
    counts_ = counts;
    takesWants_ = takesWants_ && !brokeOff;
    isLast_ = stopping_;
    known_.notify_all();
    return {std::exchange(requests_, {}), std::exchange(hints_, {}), isLast_};
  }

private:
  mutable Mutex mutex_;
  RequestList requests_ FORERUN_GUARDED_BY(mutex_);
  std::vector<Hint> hints_ FORERUN_GUARDED_BY(mutex_);
  WantNumber lastWant_ FORERUN_GUARDED_BY(mutex_) = 0;
  bool takesWants_ FORERUN_GUARDED_BY(mutex_) = true;
  bool stopping_ FORERUN_GUARDED_BY(mutex_) = false;
  bool isLast_ FORERUN_GUARDED_BY(mutex_) = false; ///< the service knows that it is to stop
  std::condition_variable known_;
  Peer::Counts counts_ FORERUN_GUARDED_BY(mutex_);
};

} // namespace forerun

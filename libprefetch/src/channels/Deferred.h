// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/Forwarding.h"
#include "forerun/Mutex.h"

#include <cstddef>
#include <functional>
#include <list>
#include <mpi.h>
#include <vector>

/// \file
/// What non-blocking calls of the main thread bring: it is handed over when the request has
/// completed. At each site this follows the order in which the calls were made, as the
/// pre-execution thread makes them, whichever of them completes first.
///
/// Called by the program's own threads; the pre-execution thread is not involved.

namespace forerun {

class Deferred {
public:
  using Send = std::function<void(int site, const Forwarding::Value &value)>;

  /// The bytes of \p value are read when \p request has completed: until then they belong to MPI.
  void start(int site, MPI_Request request, const Forwarding::Value &value);

  /// The calling thread is about to make a call that may complete some of these.
  void completing(int count, const MPI_Request *requests);
  /// It has made the call. Requests that are null now, and were not before, have completed.
  void completed(const MPI_Request *requests, const Send &send);

private:
  struct Entry {
    int site;
    MPI_Request request;
    Forwarding::Value value;
    bool isThere = false;
    std::vector<std::byte> bytes; ///< isThere: what has come, since the program may change it
  };

  void arrive(MPI_Request request) FORERUN_REQUIRES(mutex_);
  void sendInOrder(const Send &send) FORERUN_REQUIRES(mutex_);

  Mutex mutex_;
  std::list<Entry> entries_ FORERUN_GUARDED_BY(mutex_); ///< in the order of their starts
};

} // namespace forerun

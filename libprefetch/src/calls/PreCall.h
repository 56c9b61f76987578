// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calls/Guarded.h"
#include "calls/PrefetchCall.h"
#include "thread/PreThread.h"

#include <mpi.h>
#include <optional>

/// \file
/// A call of the program that its pre-execution thread has come to: made once at the entry of what
/// clones call, and passed on from there. Only on that thread, which may be ended anywhere: no lock.

namespace forerun {

struct PreCall {
  PreThread &thread;
  CallId id;
  bool passed; ///< the main thread has made it

  /// The next occurrence of \p site; waits while too many calls are ahead of the main thread.
  static PreCall arriveAt(PreThread &thread, int site);
  /// The call at which the thread is.
  static PreCall current(PreThread &thread);

  /// Gives \p act the PrefetchCall on a file that the thread has opened, or that it was given open;
  /// does nothing if that has no cache, or for lack of memory.
  template <typename Act> void onFile(MPI_File fh, const Act &act) const {
    guarded([&] {
      if (std::optional<PrefetchCall> file = prefetchCall(fh))
        act(*file);
    });
  }

private:
  std::optional<PrefetchCall> prefetchCall(MPI_File fh) const;
};

} // namespace forerun

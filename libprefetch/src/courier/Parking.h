// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Record.h"
#include "courier/DirtyRanges.h"
#include "forerun/Cache.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

/// \file
/// What waits, by file. A prefetch that overlaps a dirty range waits for that write (delayed
/// synchronisation, after SC'08, section III-D2); everything after a synchronisation point of the file
/// waits for that point. Other files, and prefetches of the same file that overlap nothing, do not
/// wait. Threads: only the courier.

namespace forerun {

/// A record that has its place in the window, whether or not it waits.
struct Placed {
  Record record;
  Sequence sequence = 0;
  /// The write it waits for: the last in program order that overlaps it, so that all earlier ones
  /// have been passed too. None: it waits for room in the cache.
  std::optional<CallId> write;
};

struct Parking {
  DirtyRanges dirty;
  std::vector<Placed> parked;   ///< in program order
  std::deque<Placed> afterSync; ///< front: the Sync record that all others here wait for
  std::vector<Record> byHand;   ///< prefetches by hand that wait for a range of HandDirt
};

} // namespace forerun

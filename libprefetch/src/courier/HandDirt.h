// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "courier/DirtyRanges.h"
#include "forerun/Mutex.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>

/// \file
/// The dirty ranges of calls by hand: what the program has said, by MPI_File_prefetch_write, that it
/// will write. Its writes have no call identifiers, so a range ends when its bytes have been written,
/// by whatever write of the process, and at the latest with the epoch.
///
/// Invariants
///  - A range is here before a record of a later call by hand is on the stream, and gone when the write,
///    or the call that begins the epoch, returns. So nothing waits for a write that has been made.
///  - Ranges are numbered in the order of the calls. A prefetch waits only for those with a number up
///    to its own (Record::call.occurrence): the earlier ones.
///  - `any_` is set while there are ranges, under the mutex. A thread reads it without: it finds what
///    itself has called, and what the program has ordered before.
/// Threads: any; the pre-execution thread never.

namespace forerun {

class HandDirt {
public:
  /// Ranges of a file; others are not kept.
  static constexpr std::size_t kMax = std::size_t{1} << 16;

  bool any() const { return any_.load(std::memory_order_relaxed); }
  std::uint64_t newest() const { return newest_.load(std::memory_order_relaxed); }
  /// Grows whenever ranges end.
  std::uint64_t ends() const { return ends_.load(std::memory_order_acquire); }

  /// \p file: its OpenFile::number. False: there is no room.
  bool add(std::uint64_t file, std::uint64_t offset, std::uint64_t length);
  void written(std::uint64_t file, std::uint64_t offset, std::uint64_t length);
  void end(std::uint64_t file); ///< all its ranges
  /// Whether these bytes overlap a range with a number up to \p newest.
  bool holds(std::uint64_t file, std::uint64_t offset, std::uint64_t length, std::uint64_t newest);

private:
  void noteEnds() FORERUN_REQUIRES(mutex_);

  Mutex mutex_;
  std::map<std::uint64_t, DirtyRanges> files_ FORERUN_GUARDED_BY(mutex_); ///< none is empty
  std::atomic<bool> any_{false};
  std::atomic<std::uint64_t> newest_{0}, ends_{0};
};

} // namespace forerun

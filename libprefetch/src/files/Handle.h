// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_HANDLE_H
#define FORERUN_HANDLE_H

#include "forerun/Cache.h"
#include "types/FileView.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mpi.h>
#include <mutex>

/// \file
/// What Forerun keeps for an open MPI_File, and the table that finds it.
///
/// A slot of the table is never freed, only used again with a higher generation: whoever looks at a
/// slot whose file was closed meanwhile sees memory that is valid and a generation that is not. The
/// table is read without a lock.

namespace forerun {

struct OpenFile;
struct Options;

/// A prefetch file pointer with its view. Touched by one side only, the reset at a new open
/// included: who finds that `generation` is not the handle's begins anew (see PrefetchCall).
struct PrefetchPointer {
  /// A position after a seek to a place that is not known: nothing is read or written there.
  static constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max();

  std::uint32_t generation = 0;     ///< of the handle that it belongs to
  FileView view;                    ///< default: displacement 0, etype and filetype MPI_BYTE
  std::uint64_t position = 0;       ///< in etypes
  std::uint64_t sharedPosition = 0; ///< prediction of the shared file pointer, in etypes
};

} // namespace forerun

/// The door's opaque handle.
struct forerun_handle {
  std::uint32_t slot = 0;
  std::atomic<std::uint32_t> generation{0}; ///< odd while open
  std::atomic<MPI_File> fh{MPI_FILE_NULL};
  forerun::CachedFile *file =
      nullptr; ///< of Runtime's cache; valid while open, for library threads and the door
  int rank = 0, ranks = 1; ///< in the file's communicator
  int amode = 0;
  bool atomic = false;               ///< atomic mode, of this handle; under OpenFiles' mutex
  forerun::OpenFile *open = nullptr; ///< the door's, shared by the handles of one file; as `file`
  std::shared_ptr<const forerun::Options> options; ///< in force for this handle; the door's
  /// Library threads that use `file` or `open` now: count up, then look at the generation again.
  /// Detach ends the generation, then waits until nobody is left.
  std::atomic<std::uint32_t> users{0};
  std::atomic<std::uint64_t> startByte{0}; ///< the individual file pointer after open
  std::atomic<int> fd{-1};                 ///< for the file's size; -1: not known
  forerun::PrefetchPointer hand;           ///< of calls by hand (under the hand stream's mutex)
};

namespace forerun {

class HandleTable {
public:
  static constexpr std::size_t kSlots = 4096;

  HandleTable() = default;
  ~HandleTable();
  HandleTable(const HandleTable &) = delete;
  HandleTable &operator=(const HandleTable &) = delete;

  // ---- main threads; these take a lock ----
  forerun_handle *insert(MPI_File fh); ///< null when all slots are in use, or without memory
  void remove(forerun_handle *handle); ///< ends the handle's generation
  /// Held by calls made by hand: they share one stream and each file's `hand` pointer.
  std::mutex &handMutex() { return handMutex_; }

  // ---- any thread; lock-free ----
  forerun_handle *find(MPI_File fh) const; ///< null if not in the table
  forerun_handle *at(std::uint32_t slot, std::uint32_t generation) const; ///< null if closed since

private:
  forerun_handle *freeSlot();

  std::mutex mutex_; ///< insert and remove
  std::mutex handMutex_;
  /// What find scans; keys_[i] belongs to slots_[i]. Only slots below slotsEverUsed_ have one.
  std::array<std::atomic<MPI_File>, kSlots> keys_{};
  std::array<std::atomic<forerun_handle *>, kSlots> slots_{};
  std::atomic<std::uint32_t> slotsEverUsed_{0};
};

} // namespace forerun

#endif

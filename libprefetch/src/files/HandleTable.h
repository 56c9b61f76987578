// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/WhichFile.h"
#include "files/Handle.h"
#include "forerun/Mutex.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mpi.h>

/// \file
/// Finds the handle of an MPI_File, without a lock.
///
/// Invariant: a slot of the table is never freed, only reused with a higher generation. A thread
/// that reads a slot whose file has been closed meanwhile sees valid memory and a generation that
/// does not match.

namespace forerun {

class HandleTable {
public:
  static constexpr std::size_t kSlots = 4096;

  HandleTable() = default;
  ~HandleTable();
  HandleTable(const HandleTable &) = delete;
  HandleTable &operator=(const HandleTable &) = delete;

  // ---- main threads; these take a lock ----
  forerun_handle *insert(MPI_File fh); ///< null if all slots are in use, or without memory
  void remove(forerun_handle *handle); ///< ends the handle's generation
  /// Held by calls made by hand: they share one stream and each file's `hand` pointer.
  Mutex &handMutex() FORERUN_RETURNS_MUTEX(handMutex_) { return handMutex_; }

  // ---- any thread; lock-free ----
  forerun_handle *find(MPI_File fh) const; ///< null if not in the table
  forerun_handle *at(std::uint32_t slot, std::uint32_t generation) const; ///< null if closed since
  /// An open of \p which that \p wanted(OpenedFile) accepts, as far as known here: its file, slot
  /// and generation. If there is none, its file is MPI_FILE_NULL.
  template <typename Wanted> OpenedFile openOf(const WhichFile &which, const Wanted &wanted) const;

private:
  forerun_handle *freeSlot() FORERUN_REQUIRES(mutex_);

  Mutex mutex_; ///< guards changes to the table: insert and remove
  Mutex handMutex_;
  /// What find scans; keys_[i] belongs to slots_[i]. Only slots below slotsEverUsed_ have a key.
  std::array<std::atomic<MPI_File>, kSlots> keys_{};
  std::array<std::atomic<forerun_handle *>, kSlots> slots_{};
  std::atomic<std::uint32_t> slotsEverUsed_{0};
};

template <typename Wanted>
OpenedFile HandleTable::openOf(const WhichFile &which, const Wanted &wanted) const {
  const std::uint32_t used = which.isKnown() ? slotsEverUsed_.load(std::memory_order_acquire) : 0;
  for (std::uint32_t i = 0; i < used; ++i) {
    const forerun_handle &handle = *slots_[i].load(std::memory_order_acquire);
    const std::uint32_t generation = handle.generation.load(std::memory_order_acquire);
    if (handle.inode.load() != which.inode || handle.device.load() != which.device)
      continue;
    const OpenedFile found{
        .file = handle.fh.load(), .slot = i, .generation = generation, .which = which};
    // Otherwise it has been closed meanwhile. While it is open no other file has its number.
    if (at(i, generation) != nullptr && wanted(found))
      return found;
  }
  return {};
}

} // namespace forerun

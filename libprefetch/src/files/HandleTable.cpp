// SPDX-License-Identifier: Apache-2.0
#include "files/HandleTable.h"

#include <new>

namespace forerun {

namespace {

bool isOpen(std::uint32_t generation) { return generation % 2 == 1; }

} // namespace

HandleTable::~HandleTable() {
  for (std::atomic<forerun_handle *> &slot : slots_)
    delete slot.load(std::memory_order_relaxed);
}

/// The lowest slot that is closed and not still being left by a library thread. Low slots keep the
/// scan of find short.
forerun_handle *HandleTable::freeSlot() {
  const std::uint32_t used = slotsEverUsed_.load(std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < used; ++i) {
    forerun_handle *handle = slots_[i].load(std::memory_order_relaxed);
    if (!isOpen(handle->generation.load(std::memory_order_relaxed)) &&
        handle->users.load(std::memory_order_acquire) == 0)
      return handle;
  }
  if (used == kSlots)
    return nullptr;
  auto *handle = new (std::nothrow) forerun_handle;
  if (handle == nullptr)
    return nullptr;
  handle->slot = used;
  keys_[used].store(MPI_FILE_NULL, std::memory_order_relaxed);
  slots_[used].store(handle, std::memory_order_release);
  slotsEverUsed_.store(used + 1, std::memory_order_release);
  return handle;
}

forerun_handle *HandleTable::insert(MPI_File fh) {
  const MutexLock lock(mutex_);
  forerun_handle *handle = freeSlot();
  if (handle == nullptr)
    return nullptr;
  handle->fh.store(fh, std::memory_order_relaxed);
  handle->startByte.store(0, std::memory_order_relaxed);
  handle->fd.store(-1, std::memory_order_relaxed);
  handle->inode.store(0, std::memory_order_relaxed);
  handle->generation.fetch_add(1, std::memory_order_release);
  keys_[handle->slot].store(fh, std::memory_order_release);
  return handle;
}

void HandleTable::remove(forerun_handle *handle) {
  const MutexLock lock(mutex_);
  if (!isOpen(handle->generation.load(std::memory_order_relaxed)))
    return;
  keys_[handle->slot].store(MPI_FILE_NULL, std::memory_order_relaxed);
  handle->fh.store(MPI_FILE_NULL, std::memory_order_relaxed);
  // Sequentially consistent, together with `users`: either a library thread that counts itself in
  // sees the new generation, or the door that waits sees the count.
  handle->generation.fetch_add(1);
}

forerun_handle *HandleTable::find(MPI_File fh) const {
  if (fh == MPI_FILE_NULL)
    return nullptr;
  const std::uint32_t used = slotsEverUsed_.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < used; ++i)
    if (keys_[i].load(std::memory_order_acquire) == fh)
      return slots_[i].load(std::memory_order_acquire);
  return nullptr;
}

forerun_handle *HandleTable::at(std::uint32_t slot, std::uint32_t generation) const {
  if (!isOpen(generation) || slot >= slotsEverUsed_.load(std::memory_order_acquire))
    return nullptr;
  forerun_handle *handle = slots_[slot].load(std::memory_order_acquire);
  return handle->generation.load() == generation ? handle : nullptr;
}

} // namespace forerun

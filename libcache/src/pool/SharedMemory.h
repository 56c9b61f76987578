// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Mapping.h"

#include <cstddef>
#include <memory>
#include <sys/types.h>

/// \file
/// Memory that the processes of one node share: a file without a name, so that nothing is left when
/// they end, however they end. No process that maps it may be able to shrink it under the others,
/// so its size is sealed.
///
/// Threads: `lock` and `isLocked` from any; the rest is constant.

namespace forerun {

class SharedMemory {
public:
  /// Zeroed. Null: no memory, addresses or descriptor.
  static std::unique_ptr<SharedMemory> create(std::size_t bytes);
  /// The memory that process \p owner has created and has as descriptor \p fd. Null also if that is
  /// something else, or another user's.
  static std::unique_ptr<SharedMemory> attach(pid_t owner, int fd);
  /// Like `attach`, in this process and without another mapping: for members that are threads,
  /// whose sanitizer distinguishes places by their addresses.
  std::unique_ptr<SharedMemory> share() const;
  ~SharedMemory();
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;

  std::byte *base() const { return mapping_->base(); }
  std::size_t bytes() const { return mapping_->bytes(); }
  int fd() const { return fd_; }

  /// Takes the lock number \p lock until this process ends or unmaps the memory. False: another
  /// process has it.
  bool lock(unsigned lock) const;
  /// Whether another process has it. A lock of this object counts as free.
  bool isLocked(unsigned lock) const;

private:
  SharedMemory(int fd, std::shared_ptr<const Mapping> mapping);
  static int open(pid_t owner, int fd);
  static std::unique_ptr<SharedMemory> map(int fd, std::size_t bytes);

  int fd_;
  std::shared_ptr<const Mapping> mapping_;
};

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/runtime.h"
#include "thread/Arena.h"

#include <cstddef>
#include <cstdint>
#include <span>

/// \file
/// The memory that the pre-execution thread of a sliced program may write to: its stack, its arena,
/// its private copies of the program's globals and statics, and what the runtime has lent it.
///
/// An analysis can be wrong. So the clones, and the functions of the runtime that write where a
/// clone tells them to, ask here first for each store whose target is not plain from the text. A
/// store elsewhere may hit the program's memory, and ends the thread. A thread launched by hand has
/// no fence: its author knows what it may write to.
///
/// Invariants
///  - A range is one object, or one region of memory of the thread: a store that begins in one and
///    ends in another is not allowed.
///  - The fence's own data lies where no clone may write.
///
/// The launching thread makes it; then it belongs to the pre-execution thread. Only one fence is up
/// at a time, and `forerun_pre_memory` belongs to it. Its heap fields hold the region that the last
/// question here was about.

namespace forerun {

class Fence {
public:
  /// \p memory holds its table.
  explicit Fence(Arena &memory) : memory_(memory) {}

  ~Fence();
  Fence(const Fence &) = delete;
  Fence &operator=(const Fence &) = delete;

  /// From now on, writes are checked. The globals of sliced units are known already. Memory that
  /// \p heap adds later may be written to as well. False: no memory.
  bool raise(std::span<const std::byte> stack, const Arena &heap);
  bool isUp() const { return heap_ != nullptr; }
  bool lend(const void *from, std::size_t bytes); ///< false: no memory
  bool owns(const void *from, std::size_t bytes); ///< whether all of these bytes may be written to
  bool hasLent(const void *from, std::size_t bytes) const;
  /// Calls \p take with each range that has been lent.
  template <class Take> void forEachLent(const Take &take) const {
    for (std::size_t i = 0; i < count_; ++i)
      take(std::span(reinterpret_cast<std::byte *>(ranges_[i].from), // NOLINT: it was a pointer
                     ranges_[i].to - ranges_[i].from));
  }

  /// Registers a unit's private globals, before main begins.
  static void know(forerun_pre_globals &globals);

private:
  struct Range {
    std::uintptr_t from = 0, to = 0;
    bool holds(std::uintptr_t place, std::size_t bytes) const {
      return place >= from && place <= to && bytes <= to - place;
    }
  };
  const Range *after(std::uintptr_t place) const;

  Arena &memory_;
  const Arena *heap_ = nullptr; ///< null until the fence is up
  Range *ranges_ = nullptr;     ///< in ascending order
  std::size_t count_ = 0, room_ = 0;
};

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_FENCE_H
#define FORERUN_FENCE_H

#include "forerun/runtime.h"
#include "thread/Arena.h"

#include <cstddef>
#include <cstdint>
#include <span>

/// \file
/// Which memory the pre-execution thread of a sliced program may write to: its stack, its arena, its
/// private copies of the program's globals and statics, and what the runtime has lent it.
///
/// An analysis can be wrong. So the clones, and the functions of the runtime that write where a
/// clone has told them to, ask here first, with each store whose place is not plain from the text;
/// what lies elsewhere may be the program's, and ends the thread. A thread that was launched by hand
/// has no fence: its author knows what it may write to.
///
/// Invariants
///  - A range is one object, or one region of memory of the thread: a store that begins in one and
///    ends in another is no good.
///  - What the fence decides by lies where no clone may write.
///
/// The launching thread makes it; then it belongs to the pre-execution thread. There is one that is
/// up at a time: `forerun_pre_memory` is its. What that says of the heap is the region that the
/// last question here was about.

namespace forerun {

class Fence {
public:
  /// \p memory for its table.
  explicit Fence(Arena &memory) : memory_(memory) {}

  ~Fence();
  Fence(const Fence &) = delete;
  Fence &operator=(const Fence &) = delete;

  /// From now on writes are checked. The globals of sliced units are known already. What \p heap
  /// grows by may be written to as well. False: no memory.
  bool raise(std::span<const std::byte> stack, const Arena &heap);
  bool isUp() const { return heap_ != nullptr; }
  bool lend(const void *from, std::size_t bytes); ///< false: no memory
  bool owns(const void *from, std::size_t bytes); ///< whether all of them may be written to
  bool hasLent(const void *from, std::size_t bytes) const;
  /// Calls \p take with each range that has been lent.
  template <class Take> void forEachLent(const Take &take) const {
    for (std::size_t i = 0; i < count_; ++i)
      take(std::span(reinterpret_cast<std::byte *>(ranges_[i].from), // NOLINT: it was a pointer
                     ranges_[i].to - ranges_[i].from));
  }

  /// A unit's private globals: before main begins.
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
  const Arena *heap_ = nullptr; ///< null until it is up
  Range *ranges_ = nullptr;     ///< in ascending order
  std::size_t count_ = 0, room_ = 0;
};

} // namespace forerun

#endif

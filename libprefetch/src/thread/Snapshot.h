// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SNAPSHOT_H
#define FORERUN_SNAPSHOT_H

#include <cstddef>
#include <span>

/// \file
/// A thread's registers, its stack and other memory of its own, as they are now, to come back to:
/// `keep` returns a second time, as setjmp does, but also to a function that has long returned.
///
/// What lies above `stackEnd`, and whatever is not among the pieces, stays as it is then: locks,
/// memory of malloc's, what the system knows. Who comes back sees to it that nothing of that has
/// changed in between, or does not matter. No destructor runs.

namespace forerun {

struct Snapshot {
  using Piece = std::span<std::byte>;

  std::byte *stackPointer = nullptr; ///< first: assembly knows where it is
  std::byte *stackEnd = nullptr;     ///< the stack is kept up to here
  std::span<const Piece> pieces{};   ///< other memory that is kept
  std::span<std::byte> copies{};     ///< where to
};

} // namespace forerun

extern "C" {

enum { FORERUN_KEPT = 0, FORERUN_CAME_BACK = 1, FORERUN_NO_ROOM = 2 };

/// FORERUN_KEPT, or FORERUN_NO_ROOM where `copies` is too small; and once more FORERUN_CAME_BACK.
[[gnu::returns_twice]] int forerun_keep_snapshot(forerun::Snapshot *snapshot);
/// On the thread that has kept it, from any depth of its stack, as often as one likes.
[[noreturn]] void forerun_return_to_snapshot(forerun::Snapshot *snapshot);
}

#endif

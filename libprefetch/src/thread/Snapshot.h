// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

/// \file
/// A thread's registers, its stack and other memory of its own, as they are now, to return to:
/// `keep` returns a second time, as setjmp does, but also to a function that has long returned.
///
/// What lies above `stackEnd`, and what is not among the pieces, stays as it is at the return:
/// locks, memory of malloc's, state of the system. The caller ensures that none of that has changed
/// in between, or that the change does not matter. No destructor runs.

namespace forerun {

struct Snapshot {
  using Piece = std::span<std::byte>;

  std::byte *stackPointer = nullptr; ///< first: assembly knows where it is
  std::byte *stackEnd = nullptr;     ///< the stack is kept up to here
  std::span<const Piece> pieces{};   ///< other memory that is kept
  std::span<std::byte> copies{};     ///< their destination
};

} // namespace forerun

extern "C" {

enum { FORERUN_KEPT = 0, FORERUN_CAME_BACK = 1, FORERUN_NO_ROOM = 2 };

/// FORERUN_KEPT, or FORERUN_NO_ROOM if `copies` is too small; the second time FORERUN_CAME_BACK.
[[gnu::returns_twice]] int forerun_keep_snapshot(forerun::Snapshot *snapshot);
/// On the thread that has kept it, from any depth of its stack, any number of times.
[[noreturn]] void forerun_return_to_snapshot(forerun::Snapshot *snapshot);
}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pool/Shared.h"

#include <cstdint>
#include <optional>

/// \file
/// The free frames of a pool: a stack without a lock, in shared memory. A member killed at any step
/// loses at most the frame that it was taking or giving.

namespace forerun {

class FreeFrames {
public:
  /// The number of the first frame plus 1, and above it a number that changes with each change, so
  /// that pops and pushes in between are noticed.
  using Head = Shared<std::uint64_t>;

  /// \p next: for each frame, the one below it.
  FreeFrames(Head &head, Shared<std::uint32_t> *next) : head_(head), next_(next) {}

  void push(std::uint32_t frame) {
    std::uint64_t head = head_.load();
    std::uint64_t changed = 0;
    do {
      next_[frame].store(static_cast<std::uint32_t>(head), std::memory_order_relaxed);
      changed = (((head >> 32) + 1) << 32) | (frame + 1);
    } while (!head_.compare_exchange_weak(head, changed));
  }

  std::optional<std::uint32_t> pop() {
    std::uint64_t head = head_.load();
    for (;;) {
      const auto first = static_cast<std::uint32_t>(head);
      if (first == 0)
        return std::nullopt;
      const std::uint64_t rest = next_[first - 1].load(std::memory_order_relaxed);
      if (head_.compare_exchange_weak(head, (((head >> 32) + 1) << 32) | rest))
        return first - 1;
    }
  }

private:
  Head &head_;
  Shared<std::uint32_t> *const next_;
};

} // namespace forerun

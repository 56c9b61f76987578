// SPDX-License-Identifier: Apache-2.0
#include "thread/Leash.h"

#include <algorithm>
#include <new>

namespace forerun {

bool Leash::resize(std::size_t size, Arena &arena) {
  if (size > SIZE_MAX / sizeof(CallId))
    return false;
  auto *const ring = static_cast<CallId *>(arena.allocate(size * sizeof(CallId)));
  if (ring == nullptr)
    return false;
  const std::size_t kept = std::min(size, size_);
  for (std::size_t i = 0; i < size - kept; ++i)
    new (&ring[i]) CallId{};
  for (std::size_t back = kept; back > 0; --back) // how many calls ago
    new (&ring[size - back]) CallId(ring_[(next_ + size_ - back) % size_]);
  arena.release(ring_);
  ring_ = ring;
  size_ = size;
  next_ = 0;
  return true;
}

bool Leash::hold(CallId call, Progress &progress, Arena &arena) {
  const std::uint64_t length = length_.calls();
  if (length == 0)
    return true;
  if (length != size_ && !resize(length, arena))
    return false;
  CallId &oldest = ring_[next_];
  // A taut leash is released by an eighth: each wake-up costs the main thread a system call. If
  // the call itself has been passed, the calls that are waited for were predicted wrongly.
  if (!progress.hasPassed(oldest))
    progress.waitUntilPassed(ring_[(next_ + size_ / 8) % size_], call);
  oldest = call;
  next_ = (next_ + 1) % size_;
  return true;
}

} // namespace forerun

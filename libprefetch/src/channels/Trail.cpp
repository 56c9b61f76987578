// SPDX-License-Identifier: Apache-2.0
#include "channels/Trail.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace forerun {

Trail::Range Trail::rangeAt(std::uint64_t place) const {
  const std::uint64_t handle = load(place);
  return {static_cast<std::uint32_t>(handle >> 32), static_cast<std::uint32_t>(handle),
          load(place + 1), load(place + 2)};
}

bool Trail::leave(const Range &range, const void *bytes) {
  if (range.length > kMaxBytes)
    return false;
  const MutexLock lock(leaving_);
  try {
    if (words_ == nullptr)
      words_ = std::make_unique<ZeroedArray<std::atomic<std::uint64_t>>>(kWords);
  } catch (const std::bad_alloc &) {
    return false;
  }
  const std::uint64_t begin = end_.load(std::memory_order_relaxed);
  const std::uint64_t end = begin + wordsOf(range.length);
  std::uint64_t oldest = oldest_.load(std::memory_order_relaxed);
  while (end - oldest > kWords)
    oldest += wordsOf(load(oldest + 2));
  oldest_.store(oldest, std::memory_order_relaxed);
  store(begin, std::uint64_t{range.slot} << 32 | range.generation);
  store(begin + 1, range.offset);
  store(begin + 2, range.length);
  const auto *from = static_cast<const std::byte *>(bytes);
  for (std::uint64_t done = 0; done < range.length; done += 8) {
    std::uint64_t value = 0;
    std::memcpy(&value, from + done, std::min<std::uint64_t>(8, range.length - done));
    store(begin + kHeaderWords + done / 8, value);
  }
  end_.store(end, std::memory_order_release);
  if (end - std::max(told_, reached_.load(std::memory_order_relaxed)) <= kWords / 2)
    return false;
  told_ = end;
  return true;
}

bool Trail::take(const Range &range, void *bytes) {
  const std::uint64_t end = end_.load(std::memory_order_acquire);
  std::uint64_t place =
      std::max(reached_.load(std::memory_order_relaxed), oldest_.load(std::memory_order_relaxed));
  for (unsigned looks = 0; place < end && looks < kMaxLooks; ++looks) {
    const Range there = rangeAt(place);
    if (!isThere(place))
      return false;
    const std::uint64_t next = place + wordsOf(there.length);
    if (there == range) {
      auto *to = static_cast<std::byte *>(bytes);
      for (std::uint64_t done = 0; done < range.length; done += 8) {
        const std::uint64_t value = load(place + kHeaderWords + done / 8);
        std::memcpy(to + done, &value, std::min<std::uint64_t>(8, range.length - done));
      }
      if (!isThere(place))
        return false;
      reached_.store(next, std::memory_order_relaxed);
      return true;
    }
    place = next;
  }
  return false;
}

} // namespace forerun

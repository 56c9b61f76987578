// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_READUNDERWAY_H
#define FORERUN_READUNDERWAY_H

#include <atomic>
#include <cstdint>

/// \file
/// The bytes of a file that the program is reading from storage right now, since the cache did not
/// have them. For the same call of the program nobody reads them a second time: an announcement
/// comes too late, as the program's next write would meet its fetch, and a private read waits for
/// what the program's own brings (LatestRead.h).
///
/// Only a hint: of several threads that read the file the last one counts, and who asks while it
/// changes may get a wrong answer, which costs a fetch more or less. Any thread.

namespace forerun {

class ReadUnderWay {
public:
  void begin(std::uint64_t offset, std::uint64_t length) {
    from_.store(offset, std::memory_order_relaxed);
    length_.store(length, std::memory_order_relaxed);
  }
  /// True: the courier awaits it, and must be woken.
  bool end() {
    length_.store(0); // before it looks: sequentially consistent, as in `await`
    return isAwaited_.load() && isAwaited_.exchange(false);
  }
  /// Whether it brings all of these bytes.
  bool brings(std::uint64_t offset, std::uint64_t length) const {
    const std::uint64_t from = from_.load(std::memory_order_relaxed);
    const std::uint64_t bytes = length_.load();
    return offset >= from && length <= bytes && offset - from <= bytes - length;
  }
  /// False: it does not bring all of these bytes, or it brings more than \p most. True: its end
  /// wakes the courier, which asks again before it sleeps.
  bool await(std::uint64_t offset, std::uint64_t length, std::uint64_t most) {
    isAwaited_.store(true);
    return brings(offset, length) && length_.load(std::memory_order_relaxed) <= most;
  }

private:
  std::atomic<std::uint64_t> from_{0}, length_{0}; ///< length 0: there is none
  std::atomic<bool> isAwaited_{false};
};

} // namespace forerun

#endif

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

/// \file
/// The bytes of a file that the program is reading from storage right now, past the cache. An
/// announcement of them for the same call of the program comes too late, and is not fetched: the
/// program's next write would meet the fetch.
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
  void end() { length_.store(0, std::memory_order_relaxed); }
  /// Whether it brings all of these bytes.
  bool brings(std::uint64_t offset, std::uint64_t length) const {
    const std::uint64_t from = from_.load(std::memory_order_relaxed);
    const std::uint64_t bytes = length_.load(std::memory_order_relaxed);
    return offset >= from && length <= bytes && offset - from <= bytes - length;
  }

private:
  std::atomic<std::uint64_t> from_{0}, length_{0}; ///< length 0: there is none
};

} // namespace forerun

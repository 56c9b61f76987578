// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

/// \file
/// The byte ranges that one side reads, in its order; for FORERUN_CHECK. One thread at a time
/// appends, without a lock or memory of malloc's, and may be ended meanwhile: what it had appended
/// is complete.

namespace forerun {

class CheckLog {
public:
  /// Ranges beyond this are not kept: the comparison would be useless.
  static constexpr std::size_t kMax = std::size_t{1} << 24;

  struct Range {
    std::uint64_t call; ///< a number of the side's own, from 0
    const char *path;   ///< never freed
    std::uint64_t offset, length;
    std::uint32_t prediction = 0;   ///< that it depends on (thread/Predictions.h); 0: none
    std::uint64_t microseconds = 0; ///< since some point in the past; `append` sets it
  };

  CheckLog();
  ~CheckLog();
  CheckLog(const CheckLog &) = delete;
  CheckLog &operator=(const CheckLog &) = delete;

  std::uint64_t nextCall() { return calls_++; }
  void append(const Range &range);

  // ---- any thread ----
  std::size_t size() const { return size_.load(std::memory_order_acquire); }
  const Range &operator[](std::size_t n) const { return ranges_[n]; }

private:
  Range *ranges_ = nullptr;
  std::atomic<std::size_t> size_{0};
  std::uint64_t calls_ = 0;
};

} // namespace forerun

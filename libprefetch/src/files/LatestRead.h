// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_LATESTREAD_H
#define FORERUN_LATESTREAD_H

#include "forerun/Mutex.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

/// \file
/// What the program's latest read of a file has brought from storage, for a pre-execution thread
/// that needs the same values just then: where each read leads to the next, it learns them no
/// sooner than the program, and a fetch of its own would only double the requests.
///
/// Invariant: the bytes are those of the file as long as the cache's `ticket` for it is the one
/// that was taken before they were read.

namespace forerun {

class LatestRead {
public:
  static constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 10; ///< copied in a moment

  // ---- any thread ----
  /// Whether private reads come when the program reads the same, or later.
  bool isWanted() const { return isWanted_.load(std::memory_order_relaxed); }
  void want(bool wanted) {
    if (wanted != isWanted())
      isWanted_.store(wanted, std::memory_order_relaxed);
  }
  /// Does nothing if there are too many. \p ticket: of before they were read.
  void keep(std::uint64_t ticket, const void *bytes, std::uint64_t offset, std::size_t length);
  /// False: not all of these bytes are here. \p ticket: of now.
  bool take(std::uint64_t ticket, std::uint64_t offset, std::uint64_t length,
            std::vector<std::byte> &bytes);

private:
  std::atomic<bool> isWanted_{false};
  Mutex mutex_;
  std::uint64_t ticket_ FORERUN_GUARDED_BY(mutex_) = 0;
  std::uint64_t offset_ FORERUN_GUARDED_BY(mutex_) = 0;
  std::vector<std::byte> kept_ FORERUN_GUARDED_BY(mutex_);
};

} // namespace forerun

#endif

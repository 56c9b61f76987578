// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Mutex.h"
#include "forerun/ZeroedArray.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

/// \file
/// What the program has read lately of files that its pre-execution thread follows: the thread, far
/// behind, catches up with the program at the cost of a copy for each read. By way of the courier,
/// each would take two switches of threads.
///
/// A ring of 64-bit words, in which records (a file, a range, its bytes) follow each other. Places
/// are counted from the start of the run.
///
/// Invariants
///  - Between `oldest_` and `end_` there are whole records, at most kWords words of them.
///  - A place is overwritten only after `oldest_` has moved beyond it: a reader that copies, and
///    then finds its record not older than `oldest_`, has copied it whole. (Each word is published
///    with release, so a reader that meets a newer one also sees the newer `oldest_`.)
///  - The reader takes no lock, and may be ended at any instruction. Of what it writes, others read
///    only how far it is.
///
/// Threads: `leave`: main threads; `take`: the pre-execution thread.

namespace forerun {

class Trail {
public:
  static constexpr std::size_t kWords = std::size_t{1} << 17; ///< 1 MiB, mapped at the first use
  static constexpr std::size_t kMaxBytes = 4096;              ///< longer reads leave nothing

  struct Range {
    std::uint32_t slot, generation; ///< the handle, see HandleTable
    std::uint64_t offset, length;
    bool operator==(const Range &) const = default;
  };

  /// The program has read all \p bytes of \p range. True, once for each half of the ring, if the reader
  /// is more than a half behind: it should catch up before it is overrun.
  bool leave(const Range &range, const void *bytes);
  /// The next read of this range after those that were taken before, if it is not too far on.
  bool take(const Range &range, void *bytes);

private:
  static constexpr std::uint64_t kHeaderWords = 3;
  static constexpr unsigned kMaxLooks = 64; ///< records that the reader passes over at a time
  static std::uint64_t wordsOf(std::uint64_t bytes) { return kHeaderWords + (bytes + 7) / 8; }

  std::uint64_t load(std::uint64_t place) const {
    return (*words_)[place % kWords].load(std::memory_order_acquire);
  }
  void store(std::uint64_t place, std::uint64_t value) {
    (*words_)[place % kWords].store(value, std::memory_order_release);
  }
  Range rangeAt(std::uint64_t place) const;
  bool isThere(std::uint64_t place) const {
    return place >= oldest_.load(std::memory_order_relaxed);
  }

  Mutex leaving_;          ///< main threads
  std::uint64_t told_ = 0; ///< under `leaving_`: where `leave` has last returned true
  std::unique_ptr<ZeroedArray<std::atomic<std::uint64_t>>>
      words_; ///< constant once `end_` is not 0
  std::atomic<std::uint64_t> oldest_{0}, end_{0};
  std::atomic<std::uint64_t> reached_{0}; ///< the reader has taken what is before that
};

} // namespace forerun

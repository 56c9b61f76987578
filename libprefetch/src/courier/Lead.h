// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

/// \file
/// Whether the pre-execution thread gets ahead of the program where it needs bytes of the file.
///
/// If each address depends on the bytes before it, and the program computes little, the thread
/// learns no address sooner than the program. Its private reads then hide nothing, and each wakes
/// two threads just when the program wants to go on: where cores are taken, the program waits for
/// one. So private reads are judged, a few at a time. One that is farther ahead of the program than
/// by chance shows a lead; so does the time that the cache has hidden from the program while they
/// were made, if it is more than they cost. If nothing shows a lead, the thread *rests*: its next
/// private read is not answered for a multiple of the time that was judged, and the program wakes
/// nobody. Meanwhile the program reads as it would without the thread, except that its short reads
/// leave their bytes in the Trail, and longer ones in the cache (OpenFile::followed), so that the
/// thread catches up from memory afterwards. Then a few private reads are judged again. Rests
/// double while they show no lead, so a program that changes its ways gets its lead late by at most
/// as long as there was none before.
///
/// Invariants
///  - A rest ends by time alone, and no rest is longer than kMaxRest. Where the Trail would be overrun
///    meanwhile, one private read is answered, so that the thread catches up and rests on.
///  - What the thread reads to catch up with a rest is not judged, for as long as the rest took.
///
/// Threads: `noteHidden`, `catchUp`, `isResting`: any; everything else: the courier.

namespace forerun {

class Lead {
public:
  using Time = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  static constexpr unsigned kFirstJudged = 8, kJudged = 6; ///< private reads; after a rest
  /// How many private reads ahead of the program the thread gets by chance, where it is served first
  /// on a core that both share, and the bytes happen to be in memory.
  static constexpr unsigned kByChance = 4;
  static constexpr Duration kMaxRest = std::chrono::seconds{1};
  /// Enough time hidden: a share of the time judged, or what each private read costs at most.
  static constexpr unsigned kShare = 8;
  static constexpr std::chrono::microseconds kCost{100};

  /// Where the program is when a private read is taken.
  enum class Read {
    Ahead, ///< farther behind it than by chance
    Next,
    Late ///< past it
  };

  /// The program's read was served, and this time was hidden from it.
  void noteHidden(std::uint64_t nanoseconds) {
    if (nanoseconds != 0)
      hiddenNs_.fetch_add(nanoseconds, std::memory_order_relaxed);
  }

  /// The thread is to catch up before its rest is over.
  void catchUp() { catchesUp_.store(true, std::memory_order_relaxed); }

  /// Whether a private read has to wait; each call of `catchUp` lets one go on.
  bool rests(Time now) {
    if (now >= restUntil_) {
      isResting_.store(false, std::memory_order_relaxed);
      return false;
    }
    return !catchesUp_.exchange(false, std::memory_order_relaxed);
  }
  /// Whether it has rested since the last private read that was answered.
  bool isResting() const { return isResting_.load(std::memory_order_relaxed); }
  Time restUntil() const { return restUntil_; }
  /// A private read was taken at \p from and answered at \p to.
  void note(Read read, Time from, Time to);

private:
  void judge(Time now);

  std::atomic<std::uint64_t> hiddenNs_{0};
  std::atomic<bool> isResting_{false}, catchesUp_{false};

  unsigned judged_ = 0; ///< private reads so far ...
  Time since_{};        ///< ... from here on
  std::uint64_t hiddenBeforeNs_ = 0;
  Duration rest_{}; ///< the latest; 0: there is a lead, as far as known
  Time restUntil_{}, catchUpUntil_{};
};

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_LEAD_H
#define FORERUN_LEAD_H

#include <atomic>
#include <chrono>
#include <cstdint>

/// \file
/// Whether the pre-execution thread gets ahead of the program where it needs bytes of the file.
///
/// If each address depends on the bytes before it, and the program computes little, the thread
/// learns no address sooner than the program. Its private reads then hide nothing, and each wakes
/// two threads just when the program wants to go on: where cores are taken, the program waits for
/// one. So private reads are judged, a few at a time. One that is ahead of the call that the program
/// is at shows a lead; so does the time that the cache has hidden from the program while they were
/// made, if it is more than they cost. If nothing shows a lead, the thread *rests*: its next private
/// read is not answered for a multiple of the time that was judged, and the program wakes nobody.
/// Meanwhile the program's own reads leave their bytes in the cache (OpenFile::followed), so that
/// the thread catches up from memory afterwards. Then a few private reads are judged again. Rests
/// double while they show no lead, so a program that changes its ways gets its lead late by at most
/// as long as there was none before.
///
/// Invariants
///  - A rest ends by time alone, and no rest is longer than kMostRest.
///  - What the thread reads to catch up with a rest is not judged, for as long as the rest took.
///
/// Threads: `noteHidden`: any; everything else: the courier.

namespace forerun {

class Lead {
public:
  using Time = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  static constexpr unsigned kFirstJudged = 8, kJudged = 4; ///< private reads; after a rest
  static constexpr Duration kMostRest = std::chrono::seconds{1};
  /// Enough time hidden: a share of the time judged, or what each private read costs at most.
  static constexpr unsigned kShare = 8;
  static constexpr std::chrono::microseconds kCost{100};

  /// Where the program is when a private read is taken.
  enum class Read {
    Ahead, ///< it has other calls to make before that one
    Next,  ///< at that call, or on its way there
    Late   ///< past it
  };

  /// The program's read was served, and this time was hidden from it.
  void noteHidden(std::uint64_t nanoseconds) {
    if (nanoseconds != 0)
      hiddenNs_.fetch_add(nanoseconds, std::memory_order_relaxed);
  }

  bool rests(Time now) const { return now < restUntil_; }
  Time restUntil() const { return restUntil_; }
  /// A private read was taken at \p from and answered at \p to.
  void note(Read read, Time from, Time to);

private:
  void judge(Time now);

  std::atomic<std::uint64_t> hiddenNs_{0};

  unsigned judged_ = 0; ///< private reads so far ...
  Time since_{};        ///< ... from here on
  std::uint64_t hiddenBeforeNs_ = 0;
  Duration rest_{}; ///< the latest; 0: there is a lead, as far as known
  Time restUntil_{}, catchUpUntil_{};
};

} // namespace forerun

#endif

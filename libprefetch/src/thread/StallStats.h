// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

/// \file
/// What keeps the pre-execution thread from getting ahead, by call site: where it waits for the
/// main thread or for bytes that it needs, and after which call it computes. The thread and its
/// signal handlers write; others read once it has ended.

namespace forerun {

class StallStats {
public:
  struct Delay {
    std::uint64_t waits = 0, waitedNs = 0;
    std::atomic<std::uint64_t> ticks{0}; ///< of its timer, between this call and the next one
  };

  explicit StallStats(int sites) : stalls_(static_cast<std::size_t>(sites)) {}

  /// While this lives, the thread may be waiting; less than kLeast is not a wait. Nothing is
  /// counted if the thread is ended or put back meanwhile.
  class Wait {
  public:
    Wait(StallStats &in, int site) : in_(in), site_(site), begin_(Clock::now()) {}
    ~Wait() {
      const auto waited = Clock::now() - begin_;
      if (waited < kLeast || !in_.isSite(site_))
        return;
      Delay &delay = in_.stalls_[static_cast<std::size_t>(site_)];
      ++delay.waits;
      delay.waitedNs += static_cast<std::uint64_t>(
          std::chrono::duration_cast<std::chrono::nanoseconds>(waited).count());
    }
    Wait(const Wait &) = delete;
    Wait &operator=(const Wait &) = delete;

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::microseconds kLeast{50};
    StallStats &in_;
    const int site_;
    const Clock::time_point begin_;
  };

  void cameTo(int site) { site_.store(site, std::memory_order_relaxed); }
  void tick() {
    if (const int site = site_.load(std::memory_order_relaxed); isSite(site))
      stalls_[static_cast<std::size_t>(site)].ticks.fetch_add(1, std::memory_order_relaxed);
  }

  /// Of all sites together, and where most of it was.
  struct Waits {
    std::uint64_t allNs = 0;
    int longest = -1;
  };
  Waits waits() const {
    Waits found;
    std::uint64_t most = 0;
    for (std::size_t site = 0; site < stalls_.size(); ++site) {
      const std::uint64_t waited = stalls_[site].waitedNs;
      found.allNs += waited;
      if (waited > most)
        found.longest = static_cast<int>(site);
      most = std::max(most, waited);
    }
    return found;
  }

  const Delay &operator[](int site) const { return stalls_[static_cast<std::size_t>(site)]; }

private:
  bool isSite(int site) const {
    return site >= 0 && static_cast<std::size_t>(site) < stalls_.size();
  }

  std::vector<Delay> stalls_; ///< by site
  std::atomic<int> site_{-1}; ///< the site that the thread came to last
};

} // namespace forerun

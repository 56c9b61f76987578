// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/Forwarding.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

/// \file
/// Call sites at which the program asks for the time. The main thread hands the time over, since it
/// may be the seed of everything that is read. But a thread that waits for it in each turn of a
/// reading loop has no head start, and there the time decides at most how long the loop runs. So
/// once the thread has come to a site in kTurns turns, with a call of MPI-IO in each, it asks the
/// clock itself and skips the value that is handed over.
///
/// Other values are skipped where nothing needs them (lean clones). Skipped values are passed over
/// when no prediction is open, since Forwarding stays at the oldest prediction. Belongs to the
/// pre-execution thread; `forEachPiece` gives what a prediction keeps.

namespace forerun {

class Clocks {
public:
  static constexpr std::uint32_t kTurns = 3;
  /// Without a leash (FORERUN_CHECK), a loop that ends by the time would run ahead without bound:
  /// every kTurnsWithoutLeash-th turn the thread waits for the main thread's value.
  static constexpr std::uint32_t kTurnsWithoutLeash = 64;

  explicit Clocks(int sites) : sites_(static_cast<std::size_t>(std::max(sites, 0))) {}

  void cameToIo() { ++count_.io; }
  /// True: the thread asks the clock itself at \p site, and skips the next value of the site.
  bool asks(int site, bool isLeashed);
  void skip(int site, int values); ///< the next ones of \p site
  bool owes() const { return count_.owed != 0; }
  bool owes(int site) const {
    return isSite(site) && sites_[static_cast<std::size_t>(site)].owed != 0;
  }
  /// Passes over the skipped values. Requires that no prediction is open.
  void pay(Forwarding &forwarding);
  /// Calls \p take with each piece of memory that changes.
  template <class Take> void forEachPiece(const Take &take) {
    take(std::as_writable_bytes(std::span(&count_, 1)));
    take(std::as_writable_bytes(std::span(sites_)));
  }

private:
  struct Site {
    std::uint64_t ioBefore = 0; ///< calls of MPI-IO when the thread was here last
    std::uint32_t turns = 0, owed = 0;
  };
  struct Count {
    std::uint64_t io = 0, owed = 0;
  };
  bool isSite(int site) const {
    return site >= 0 && static_cast<std::size_t>(site) < sites_.size();
  }

  std::vector<Site> sites_;
  Count count_;
};

inline bool Clocks::asks(int site, bool isLeashed) {
  if (!isSite(site))
    return false;
  Site &here = sites_[static_cast<std::size_t>(site)];
  here.turns += here.ioBefore != count_.io ? 1 : 0;
  here.ioBefore = count_.io;
  if (here.turns <= kTurns || (!isLeashed && here.turns % kTurnsWithoutLeash == 0))
    return false;
  skip(site, 1);
  return true;
}

inline void Clocks::skip(int site, int values) {
  if (!isSite(site))
    return;
  sites_[static_cast<std::size_t>(site)].owed += static_cast<std::uint32_t>(values);
  count_.owed += static_cast<std::uint64_t>(values);
}

inline void Clocks::pay(Forwarding &forwarding) {
  for (std::size_t site = 0; site < sites_.size() && owes(); ++site) {
    const std::uint32_t owed = std::exchange(sites_[site].owed, 0);
    count_.owed -= owed;
    if (owed != 0)
      forwarding.passOver(static_cast<int>(site), static_cast<int>(owed));
  }
}

} // namespace forerun

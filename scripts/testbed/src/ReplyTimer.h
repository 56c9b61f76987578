// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "TimingModel.h"

/// \file
/// Wakes the daemon when an answer is due and nothing else has woken it.
///
/// On virtual machines a timer is expensive: measured, 17 us of CPU when it expires and 6 us to set
/// it, while waking by a request costs 2 us. So it is set as rarely as possible: somewhat after the
/// answer that is due next, the later the more answers wait, and it is not set again while the
/// present setting suffices. Arriving requests wake the daemon anyway, and it then sends whatever
/// is due.

namespace forerun::testbed {

class ReplyTimer {
public:
  ReplyTimer();
  ~ReplyTimer();
  ReplyTimer(const ReplyTimer &) = delete;
  ReplyTimer &operator=(const ReplyTimer &) = delete;

  int descriptor() const { return fd_; } ///< readable when it has expired

  /// Makes it expire between \p due and \p due + \p patience (CLOCK_MONOTONIC).
  void cover(Nanoseconds due, Nanoseconds patience);
  /// To be called when it has expired.
  void acknowledge();

private:
  int fd_;
  Nanoseconds armedFor_{0}; ///< 0: not set
};

} // namespace forerun::testbed

// SPDX-License-Identifier: Apache-2.0
#include "courier/Lead.h"

#include <algorithm>

namespace forerun {

void Lead::note(Read read, Time from, Time to) {
  if (read == Read::Ahead) {
    judged_ = 0;
    rest_ = {};
    return;
  }
  if (read == Read::Late && to < catchUpUntil_)
    return;
  catchUpUntil_ = {};
  if (judged_ == 0) {
    since_ = from;
    hiddenBeforeNs_ = hiddenNs_.load(std::memory_order_relaxed);
  }
  if (++judged_ >= (rest_ == Duration{} ? kFirstJudged : kJudged))
    judge(to);
}

/// A lead that shows once may be chance, where other programs take the cores: the rests before it
/// count by half.
void Lead::judge(Time now) {
  const Duration took = now - since_;
  const std::chrono::nanoseconds hidden{hiddenNs_.load(std::memory_order_relaxed) -
                                        hiddenBeforeNs_};
  const bool leads = hidden * kShare >= took || hidden >= judged_ * kCost;
  judged_ = 0;
  if (leads) {
    rest_ /= 2;
    return;
  }
  rest_ = std::min(kMaxRest, std::max(2 * took, 2 * rest_));
  restUntil_ = now + rest_;
  catchUpUntil_ = restUntil_ + rest_;
  isResting_.store(true, std::memory_order_relaxed);
}

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <memory>

namespace forerun::slicer {

/// What an analysis may do before it has to give up, in *steps*: nodes that are visited, edges that
/// are followed, sets that are joined. Neither the machine nor its load affects the result: the same
/// program gets the same slice everywhere. An analysis that gives up says so (isComplete), and its
/// results must not be used.
///
/// Copies share what is left. Only the last resort is a time, far beyond what the steps take: then
/// no coarser analysis follows, since another machine would not have come to that.
class Budget {
public:
  Budget() = default; ///< without end
  explicit Budget(std::uint64_t steps, std::chrono::minutes lastResort = kLastResort)
      : state_(std::make_shared<State>(State{.left = steps, .lastResort = lastResort})) {}

  void spend(std::uint64_t steps = 1) const {
    if (state_)
      state_->left -= std::min(steps, state_->left);
  }
  bool isOver() const { return state_ && (state_->left == 0 || isLate()); }
  /// The last resort has ended it.
  bool isLate() const {
    if (state_ && !state_->isLate && state_->asked++ % kAsksOfClock == 0)
      state_->isLate = processorTime() > state_->lastResort;
    return state_ && state_->isLate;
  }

  static constexpr std::chrono::minutes kLastResort{
      30}; ///< of processor time, of the whole process

private:
  static constexpr unsigned kAsksOfClock =
      4096; ///< the clock is read at every kAsksOfClock-th question

  struct State {
    std::uint64_t left;
    std::chrono::minutes lastResort;
    bool isLate = false;
    unsigned asked = 0;
  };

  static std::chrono::microseconds processorTime() {
    static_assert(CLOCKS_PER_SEC == std::chrono::microseconds::period::den);
    return std::chrono::microseconds(std::clock());
  }

  std::shared_ptr<State> state_;
};

} // namespace forerun::slicer

// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_DEADLINE_H
#define FORERUN_SLICER_DEADLINE_H

#include <chrono>
#include <optional>

namespace forerun::slicer {

/// When an analysis has to give up. An analysis that does says so (isComplete), and its results
/// must not be used.
class Deadline {
public:
  Deadline() = default; ///< never
  explicit Deadline(std::chrono::milliseconds fromNow) : end_(Clock::now() + fromNow) {}

  bool isOver() const { return end_ && Clock::now() >= *end_; }

private:
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> end_;
};

} // namespace forerun::slicer

#endif

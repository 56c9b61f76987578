// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_DEADLINE_H
#define FORERUN_SLICER_DEADLINE_H

#include <chrono>
#include <ctime>
#include <optional>

namespace forerun::slicer {

/// When an analysis has to give up, in processor time: the load of the machine must not affect
/// the result. An analysis that gives up says so (isComplete), and its results must not be used.
class Deadline {
public:
  Deadline() = default; ///< never
  explicit Deadline(std::chrono::milliseconds fromNow) : end_(used() + fromNow) {}

  bool isOver() const { return end_ && used() >= *end_; }

private:
  using Time = std::chrono::microseconds;

  static Time used() {
    static_assert(CLOCKS_PER_SEC == Time::period::den);
    return Time(std::clock());
  }

  std::optional<Time> end_;
};

} // namespace forerun::slicer

#endif

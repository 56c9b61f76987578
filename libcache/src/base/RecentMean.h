// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// A mean in which about the last Recent values count: of the first ones the plain mean, then an
/// exponential one. Threads: none of its own.

namespace forerun {

template <unsigned Recent> class RecentMean {
public:
  void add(double value) {
    count_ += count_ < Recent ? 1 : 0;
    mean_ += (value - mean_) / count_;
  }
  double value() const { return mean_; }
  bool isEmpty() const { return count_ == 0; }
  bool isFull() const { return count_ == Recent; }

private:
  double mean_ = 0;
  unsigned count_ = 0;
};

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Cache.h"

#include <algorithm>
#include <vector>

/// \file
/// Sequence numbers in ascending order, each once: the announced reads of one page. They mostly
/// come in order.

namespace forerun {

class UseQueue {
public:
  /// 0 if there is none.
  Sequence first() const { return head_ < uses_.size() ? uses_[head_] : 0; }

  void add(Sequence use) {
    const auto begin = uses_.begin() + static_cast<std::ptrdiff_t>(head_);
    const auto at = std::lower_bound(begin, uses_.end(), use);
    if (at == uses_.end() || *at != use)
      uses_.insert(at, use);
  }
  void popUpTo(Sequence last) {
    while (head_ < uses_.size() && uses_[head_] <= last)
      ++head_;
    if (head_ * 2 >= uses_.size()) {
      uses_.erase(uses_.begin(), uses_.begin() + static_cast<std::ptrdiff_t>(head_));
      head_ = 0;
    }
  }
  bool remove(Sequence use) { ///< false: not found
    const auto begin = uses_.begin() + static_cast<std::ptrdiff_t>(head_);
    const auto at = std::lower_bound(begin, uses_.end(), use);
    if (at == uses_.end() || *at != use)
      return false;
    uses_.erase(at);
    return true;
  }
  void clear() {
    uses_.clear();
    head_ = 0;
  }

private:
  std::vector<Sequence> uses_;
  std::size_t head_ = 0; ///< entries before it are over
};

} // namespace forerun

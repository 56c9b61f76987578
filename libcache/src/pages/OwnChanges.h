// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Geometry.h"

#include <algorithm>
#include <atomic>
#include <cstdint>

/// \file
/// When this process began its last epoch of a file, and what it has written to it since: this
/// limits the age of others' bytes. Of the writes only the last one's time and the pages from the
/// first to the last are kept: the writer of a part of a file reads others' parts as if it had not.
///
/// Invariant: a page that has been written lies in the range before anybody can know about it; the
/// times are never earlier than what the range says about a page.
/// Threads: changed by one at a time; read by any.

namespace forerun {

class OwnChanges {
public:
  explicit OwnChanges(std::uint64_t nowNs) : epochNs_(nowNs), writtenNs_(nowNs) {}

  void beginEpoch(std::uint64_t nowNs) {
    epochNs_.store(nowNs);
    end_.store(0); // no page is in the range
    first_.store(kOffsetLimit);
  }
  void wrote(std::uint64_t firstPage, std::uint64_t endPage, std::uint64_t nowNs) {
    writtenNs_.store(nowNs);
    first_.store(std::min(first_.load(), firstPage));
    end_.store(std::max(end_.load(), endPage));
  }

  bool mayHaveWritten(std::uint64_t page) const {
    return page < end_.load() && page >= first_.load();
  }
  /// What others requested from the storage before this is too old for page \p page.
  std::uint64_t afterNs(std::uint64_t page) const {
    return mayHaveWritten(page) ? writtenNs_.load() : epochNs_.load();
  }

private:
  std::atomic<std::uint64_t> epochNs_, writtenNs_;
  std::atomic<std::uint64_t> first_ = kOffsetLimit, end_ = 0;
};

} // namespace forerun

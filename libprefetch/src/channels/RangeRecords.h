// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/Stream.h"

#include <cstdint>

/// \file
/// The byte ranges of one call, as records on a stream. Ranges less than a sector apart are merged,
/// since the cache fetches whole sectors.
/// Threads: the stream's producer.

namespace forerun {

class RangeRecords {
public:
  static constexpr std::uint64_t kSectorBytes = 4096;

  /// \p first: a record of the call, without a range.
  RangeRecords(Stream &stream, const Record &first) : stream_(stream), pending_(first) {}

  /// False: the stream has been shut.
  bool add(std::uint64_t offset, std::uint64_t length);
  /// There are no more ranges.
  void finish();

private:
  Stream &stream_;
  Record pending_; ///< the range that may still grow
  bool open_ = true;
};

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#include "channels/RangeRecords.h"

namespace forerun {

bool RangeRecords::add(std::uint64_t offset, std::uint64_t length) {
  const std::uint64_t end = pending_.offset + pending_.length;
  if (pending_.length > 0 && offset >= end && offset - end < kSectorBytes) {
    pending_.length = offset + length - pending_.offset;
    return open_;
  }
  if (pending_.length > 0) {
    pending_.last = false;
    open_ = open_ && stream_.push(pending_);
  }
  pending_.offset = offset;
  pending_.length = length;
  return open_;
}

void RangeRecords::finish() {
  pending_.last = true;
  if (open_ && pending_.length > 0)
    stream_.push(pending_);
  pending_.length = 0;
}

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#include "files/LatestRead.h"

namespace forerun {

void LatestRead::keep(std::uint64_t ticket, const void *bytes, std::uint64_t offset,
                      std::size_t length) {
  if (length > kMostBytes)
    return;
  const auto *const from = static_cast<const std::byte *>(bytes);
  const MutexLock lock(mutex_);
  kept_.assign(from, from + length);
  ticket_ = ticket;
  offset_ = offset;
}

bool LatestRead::take(std::uint64_t ticket, std::uint64_t offset, std::uint64_t length,
                      std::vector<std::byte> &bytes) {
  const MutexLock lock(mutex_);
  const bool isHere = ticket == ticket_ && offset >= offset_ && length <= kept_.size() &&
                      offset - offset_ <= kept_.size() - length;
  if (!isHere)
    return false;
  const std::byte *const from = kept_.data() + (offset - offset_);
  bytes.assign(from, from + length);
  return true;
}

} // namespace forerun

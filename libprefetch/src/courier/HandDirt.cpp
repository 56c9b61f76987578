// SPDX-License-Identifier: Apache-2.0
#include "courier/HandDirt.h"

namespace forerun {

bool HandDirt::add(std::uint64_t file, std::uint64_t offset, std::uint64_t length) {
  if (length == 0)
    return true;
  const MutexLock lock(mutex_);
  DirtyRanges &dirty = files_[file];
  if (dirty.size() >= kMax)
    return false;
  const std::uint64_t number = newest_.load(std::memory_order_relaxed) + 1;
  dirty.add(offset, length, CallId{}, number);
  newest_.store(number, std::memory_order_relaxed);
  any_.store(true, std::memory_order_relaxed);
  return true;
}

void HandDirt::written(std::uint64_t file, std::uint64_t offset, std::uint64_t length) {
  const MutexLock lock(mutex_);
  const auto found = files_.find(file);
  if (found == files_.end() || length == 0)
    return;
  found->second.remove(offset, length);
  if (found->second.empty())
    files_.erase(found);
  noteEnds();
}

void HandDirt::end(std::uint64_t file) {
  const MutexLock lock(mutex_);
  if (files_.erase(file) != 0)
    noteEnds();
}

bool HandDirt::holds(std::uint64_t file, std::uint64_t offset, std::uint64_t length,
                     std::uint64_t newest) {
  const MutexLock lock(mutex_);
  const auto found = files_.find(file);
  return found != files_.end() && found->second.has(offset, length, newest);
}

void HandDirt::noteEnds() {
  any_.store(!files_.empty(), std::memory_order_relaxed);
  ends_.fetch_add(1, std::memory_order_release);
}

} // namespace forerun

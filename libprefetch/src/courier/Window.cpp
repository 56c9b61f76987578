// SPDX-License-Identifier: Apache-2.0
#include "courier/Window.h"

#include <algorithm>

namespace forerun {

void Window::setLeash(std::uint64_t calls, std::uint64_t bytes) {
  leashCalls_ = std::max<std::uint64_t>(calls, 1);
  leashBytes_ = std::max<std::uint64_t>(bytes, 1);
}

Sequence Window::enter(CallId call, std::uint32_t prediction) {
  entries_.push_back(Entry{call, prediction});
  return lastSequence();
}

bool Window::contains(Sequence sequence) const {
  return sequence >= first_ && sequence - first_ < entries_.size();
}

bool Window::holdsOnly(Sequence sequence) const {
  return entries_.empty() || (entries_.size() == 1 && first_ == sequence);
}

void Window::charge(Sequence sequence, std::uint64_t bytes) {
  if (!contains(sequence))
    return;
  entries_[sequence - first_].charged += bytes;
  bytes_ += bytes;
}

void Window::noteTold(Sequence sequence, std::uint64_t bytes) {
  if (contains(sequence))
    entries_[sequence - first_].told += bytes;
}

/// Those at the end give up their places: the main thread may never pass what would remove them.
void Window::withdraw(Withdrawals::Range predictions, const Gone &gone) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry &entry = entries_[i];
    if (entry.prediction < predictions.first || entry.prediction > predictions.last)
      continue;
    bytes_ -= entry.charged;
    entry = {.call = {}, .prediction = kWithdrawn};
    gone(first_ + i);
  }
  while (!entries_.empty() && entries_.back().prediction == kWithdrawn)
    entries_.pop_back();
}

Window::Retired Window::retirePassed(const Progress &progress) {
  const auto last = std::find_if(entries_.rbegin(), entries_.rend(), [&](const Entry &entry) {
    return entry.call.site >= 0 && progress.hasPassed(entry.call);
  });
  return retire(static_cast<std::size_t>(entries_.rend() - last));
}

Window::Retired Window::retire(std::size_t calls) {
  Retired retired;
  for (std::size_t n = 0; n < calls; ++n) {
    const Entry &entry = entries_.front();
    bytes_ -= entry.charged;
    retired.announcedBytes += entry.told;
    retired.announcedCalls += entry.told != 0 ? 1 : 0;
    entries_.pop_front();
    ++first_;
  }
  retired.calls = calls;
  retired.upTo = calls != 0 ? first_ - 1 : 0;
  return retired;
}

} // namespace forerun

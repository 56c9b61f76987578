// SPDX-License-Identifier: Apache-2.0
#include "base/EventCount.h"

#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace forerun {

static_assert(sizeof(std::atomic<std::uint32_t>) == 4 &&
                  std::atomic<std::uint32_t>::is_always_lock_free,
              "the kernel waits on the counter itself");

// Sequential consistency throughout: either the waiter sees the new epoch (and with it what was
// changed before), or the notifier sees the waiter.

std::uint32_t EventCount::prepare() {
  waiters_.fetch_add(1);
  return epoch_.load();
}

void EventCount::cancel() { waiters_.fetch_sub(1); }

void EventCount::wait(std::uint32_t key, std::uint64_t timeoutNs) {
  constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
  const timespec timeout{static_cast<time_t>(timeoutNs / kNsPerSecond),
                         static_cast<long>(timeoutNs % kNsPerSecond)};
  syscall(SYS_futex, &epoch_, FUTEX_WAIT_PRIVATE, key, timeoutNs != 0 ? &timeout : nullptr, nullptr,
          0);
  waiters_.fetch_sub(1);
}

void EventCount::notify() {
  epoch_.fetch_add(1);
  if (waiters_.load() != 0)
    syscall(SYS_futex, &epoch_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

void EventCount::abandon() { waiters_.store(0); }

} // namespace forerun

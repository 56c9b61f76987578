// SPDX-License-Identifier: Apache-2.0
#include "ReplyTimer.h"

#include <sys/timerfd.h>
#include <unistd.h>

namespace forerun::testbed {

ReplyTimer::ReplyTimer() : fd_(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)) {}

ReplyTimer::~ReplyTimer() { close(fd_); }

void ReplyTimer::cover(Nanoseconds due, Nanoseconds patience) {
  if (armedFor_ >= due && armedFor_ <= due + patience)
    return;
  armedFor_ = due + patience;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(armedFor_);
  itimerspec time{};
  time.it_value.tv_sec = static_cast<time_t>(seconds.count());
  time.it_value.tv_nsec = static_cast<long>((armedFor_ - seconds).count());
  timerfd_settime(fd_, TFD_TIMER_ABSTIME, &time, nullptr);
}

void ReplyTimer::acknowledge() {
  std::uint64_t times = 0;
  if (read(fd_, &times, sizeof times) > 0)
    armedFor_ = Nanoseconds{0};
}

} // namespace forerun::testbed

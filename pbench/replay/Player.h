// SPDX-License-Identifier: Apache-2.0
#ifndef PBENCH_REPLAY_PLAYER_H
#define PBENCH_REPLAY_PLAYER_H

#include "Requests.h"

/// \file
/// Two ways to read a list of requests with a given number in flight. Both start them in order and
/// return the time in seconds from the first request to the last answer; both throw
/// std::runtime_error if a read fails.

namespace pbench {

double playWithThreads(const Trace &trace, int fd, unsigned inFlight);
double playWithIoUring(const Trace &trace, int fd, unsigned inFlight);

/// Whether this kernel allows us to use io_uring.
bool ioUringWorks();

/// Page-aligned memory for `count` requests of `trace`, one slot each.
class Buffers {
public:
  Buffers(const Trace &trace, unsigned count);
  ~Buffers();
  Buffers(const Buffers &) = delete;
  Buffers &operator=(const Buffers &) = delete;
  void *slot(unsigned index) const { return memory_ + index * slotBytes_; }

private:
  std::size_t slotBytes_;
  char *memory_;
};

double secondsNow();

/// Throws if `got` is not what `request` asked for; `error` is the errno of a failure.
void checkAnswer(const Request &request, long got, int error);

} // namespace pbench

#endif

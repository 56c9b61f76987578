// SPDX-License-Identifier: Apache-2.0
#include "Player.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <exception>
#include <thread>
#include <unistd.h>

namespace pbench {

double playWithThreads(const Trace &trace, int fd, unsigned inFlight) {
  inFlight = static_cast<unsigned>(std::min<std::size_t>(inFlight, trace.requests.size()));
  const Buffers buffers(trace, inFlight);
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> failures(inFlight);
  const auto reader = [&](unsigned self) {
    try {
      for (std::size_t i = next++; i < trace.requests.size(); i = next++) {
        const Request &request = trace.requests[i];
        const ssize_t got =
            pread(fd, buffers.slot(self), request.length, static_cast<off_t>(request.offset));
        checkAnswer(request, got, errno);
      }
    } catch (...) {
      failures[self] = std::current_exception();
    }
  };
  const double begin = secondsNow();
  std::vector<std::thread> readers;
  readers.reserve(inFlight);
  for (unsigned self = 0; self < inFlight; ++self)
    readers.emplace_back(reader, self);
  for (std::thread &thread : readers)
    thread.join();
  const double seconds = secondsNow() - begin;
  for (const std::exception_ptr &failure : failures)
    if (failure)
      std::rethrow_exception(failure);
  return seconds;
}

} // namespace pbench

// SPDX-License-Identifier: Apache-2.0
#include "Player.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

namespace pbench {

Buffers::Buffers(const Trace &trace, unsigned count)
    : slotBytes_((trace.largest + 4095) / 4096 * 4096),
      memory_(static_cast<char *>(std::aligned_alloc(4096, slotBytes_ * count))) {
  if (memory_ == nullptr)
    throw std::bad_alloc();
  std::memset(memory_, 0, slotBytes_ * count); // no page faults while the clock runs
}

Buffers::~Buffers() { std::free(memory_); }

double secondsNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void checkAnswer(const Request &request, long got, int error) {
  if (got >= static_cast<long>(request.minLength))
    return;
  throw std::runtime_error("the read of " + std::to_string(request.length) + " bytes at " +
                           std::to_string(request.offset) +
                           (got < 0 ? std::string(" failed: ") + std::strerror(error)
                                    : " came back short: is it the file of this trace?"));
}

} // namespace pbench

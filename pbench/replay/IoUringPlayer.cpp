// SPDX-License-Identifier: Apache-2.0
#include "Player.h"

#include <algorithm>
#include <cstring>
#include <liburing.h>
#include <stdexcept>

namespace pbench {

namespace {

class Ring {
public:
  explicit Ring(unsigned entries) {
    if (const int rc = io_uring_queue_init(entries, &ring_, 0))
      throw std::runtime_error(std::string("io_uring: ") + std::strerror(-rc));
  }
  ~Ring() { io_uring_queue_exit(&ring_); }
  Ring(const Ring &) = delete;
  Ring &operator=(const Ring &) = delete;
  io_uring *get() { return &ring_; }

private:
  io_uring ring_{};
};

/// A buffer's slot and the request that is now read into it.
struct Slot {
  unsigned index;
  const Request *request;
};

void prepare(io_uring *ring, int fd, const Buffers &buffers, Slot &slot, const Request &request) {
  slot.request = &request;
  io_uring_sqe *entry = io_uring_get_sqe(ring);
  io_uring_prep_read(entry, fd, buffers.slot(slot.index), static_cast<unsigned>(request.length),
                     request.offset);
  io_uring_sqe_set_data(entry, &slot);
}

} // namespace

bool ioUringWorks() {
  io_uring ring{};
  if (io_uring_queue_init(1, &ring, 0) != 0)
    return false;
  io_uring_queue_exit(&ring);
  return true;
}

double playWithIoUring(const Trace &trace, int fd, unsigned inFlight) {
  inFlight = static_cast<unsigned>(std::min<std::size_t>(inFlight, trace.requests.size()));
  Ring ring(inFlight);
  const Buffers buffers(trace, inFlight);
  std::vector<Slot> slots(inFlight);
  std::size_t next = 0, answered = 0;

  const double begin = secondsNow();
  for (; next < inFlight; ++next) {
    slots[next].index = static_cast<unsigned>(next);
    prepare(ring.get(), fd, buffers, slots[next], trace.requests[next]);
  }
  while (answered < trace.requests.size()) {
    const int submitted = io_uring_submit_and_wait(ring.get(), 1);
    if (submitted < 0 && submitted != -EINTR)
      throw std::runtime_error(std::string("io_uring: ") + std::strerror(-submitted));
    io_uring_cqe *answer = nullptr;
    while (io_uring_peek_cqe(ring.get(), &answer) == 0) {
      Slot &slot = *static_cast<Slot *>(io_uring_cqe_get_data(answer));
      checkAnswer(*slot.request, answer->res, -answer->res);
      io_uring_cqe_seen(ring.get(), answer);
      ++answered;
      if (next < trace.requests.size())
        prepare(ring.get(), fd, buffers, slot, trace.requests[next++]);
    }
  }
  return secondsNow() - begin;
}

} // namespace pbench

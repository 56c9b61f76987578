// SPDX-License-Identifier: Apache-2.0
#include "ReplyQueue.h"

#include <algorithm>
#include <cerrno>
#include <unistd.h>

namespace forerun::testbed {

namespace {

bool later(const Reply &a, const Reply &b) { return a.due > b.due; }

} // namespace

ReplyQueue::ReplyQueue() = default;

void ReplyQueue::push(const Reply &reply) {
  heap_.push_back(reply);
  std::push_heap(heap_.begin(), heap_.end(), later);
}

void ReplyQueue::sendDue(Nanoseconds now) {
  while (!heap_.empty() && heap_.front().due <= now) {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Reply reply = heap_.back();
    heap_.pop_back();
    send(reply);
  }
}

void ReplyQueue::failSoon(fuse_req_t request, int error) {
  for (Reply &reply : heap_)
    if (reply.request == request) {
      reply.due = Nanoseconds{0};
      reply.error = error;
    }
  std::make_heap(heap_.begin(), heap_.end(), later);
}

void ReplyQueue::failAll(int error) {
  for (const Reply &reply : heap_)
    fuse_reply_err(reply.request, error);
  heap_.clear();
}

void ReplyQueue::send(const Reply &reply) {
  if (reply.error != 0) {
    fuse_reply_err(reply.request, reply.error);
    return;
  }
  if (reply.fd < 0) {
    fuse_reply_write(reply.request, reply.length);
    return;
  }
  fuse_bufvec data{};
  data.count = 1;
  data.buf[0].size = reply.length;
  // libfuse's enumeration is a set of bits.
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange)
  data.buf[0].flags = static_cast<fuse_buf_flags>(FUSE_BUF_IS_FD | FUSE_BUF_FD_SEEK);
  data.buf[0].fd = reply.fd;
  data.buf[0].pos = static_cast<off_t>(reply.offset);
  fuse_reply_data(reply.request, &data, fuse_buf_copy_flags{});
}

} // namespace forerun::testbed

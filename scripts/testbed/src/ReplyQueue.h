// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Fuse.h"
#include "TimingModel.h"

#include <cstddef>
#include <vector>

/// \file
/// Answers that wait for their time, earliest first. The bytes of a read are taken from the backing
/// file when the answer is sent, not before: no buffer waits. The kernel copies them from its page
/// cache to the reader at once (splice).
///
/// One thread receives requests and also sends what is due. With one thread per request, the bed
/// would take several times as much time on the cores that the benchmark computes on.

namespace forerun::testbed {

struct Reply {
  Nanoseconds due;
  fuse_req_t request;
  int fd = -1; ///< of a read
  std::uint64_t offset = 0;
  std::size_t length = 0; ///< read: bytes wanted; write: bytes written
  int error = 0;
};

class ReplyQueue {
public:
  ReplyQueue();

  void push(const Reply &reply);
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  Nanoseconds nextDue() const { return heap_.front().due; }

  void sendDue(Nanoseconds now);
  /// \p request, if it is waiting, is answered with \p error, with the next sendDue.
  void failSoon(fuse_req_t request, int error);
  void failAll(int error);

private:
  static void send(const Reply &reply);

  std::vector<Reply> heap_;
};

} // namespace forerun::testbed

// SPDX-License-Identifier: Apache-2.0
#include "fetch/Transfer.h"

#include <algorithm>
#include <cerrno>
#include <new>

namespace forerun {

namespace {

char *endOf(const iovec &vector) { return static_cast<char *>(vector.iov_base) + vector.iov_len; }

forerun_rc rcOf(int error) { return error == ENOMEM ? FORERUN_ERR_MEMORY : FORERUN_ERR_IO; }

} // namespace

void Transfer::begin(std::span<FetchRequest *const> requests) {
  source_ = requests.front()->file;
  start_ = requests.front()->offset;
  bytesRead_ = 0;
  error_ = 0;
  requestCount_ = static_cast<unsigned>(requests.size());
  vectorCount_ = vectorsDone_ = 0;
  std::copy(requests.begin(), requests.end(), requestArray_.begin());
  std::uint64_t end = start_;
  for (FetchRequest *request : requests) {
    skip(request->offset - end);
    end = request->offset + request->length;
    // Requests of one page are often adjacent in memory, too.
    if (vectorCount_ > 0 && endOf(vectorArray_[vectorCount_ - 1]) == request->buffer)
      vectorArray_[vectorCount_ - 1].iov_len += request->length;
    else
      vectorArray_[vectorCount_++] = {request->buffer, request->length};
  }
}

void Transfer::skip(std::size_t bytes) {
  static Gap ofAll; // used if there is no memory; nobody reads it
  if (bytes != 0 && !gap_)
    gap_.reset(new (std::nothrow) Gap);
  Gap &gap = gap_ ? *gap_ : ofAll;
  for (; bytes != 0; bytes -= vectorArray_[vectorCount_++].iov_len)
    vectorArray_[vectorCount_] = {gap.bytes.data(), std::min(bytes, sizeof(Gap))};
}

bool Transfer::advance(ssize_t result) {
  if (result == -EINTR)
    return false;
  if (result < 0) {
    error_ = static_cast<int>(-result);
    return true;
  }
  bytesRead_ += static_cast<std::size_t>(result);
  auto left = static_cast<std::size_t>(result);
  while (left > 0 && left >= vectorArray_[vectorsDone_].iov_len)
    left -= vectorArray_[vectorsDone_++].iov_len;
  if (left > 0) {
    iovec &partly = vectorArray_[vectorsDone_];
    partly.iov_base = static_cast<char *>(partly.iov_base) + left;
    partly.iov_len -= left;
  }
  return result == 0 || vectorsDone_ == vectorCount_;
}

void Transfer::settle(std::uint64_t finishedNs) {
  const std::uint64_t end = start_ + bytesRead_;
  for (FetchRequest *request : requests()) {
    const std::uint64_t come = end > request->offset ? end - request->offset : 0;
    request->bytes = std::min<std::uint64_t>(come, request->length);
    // What was read before the error is valid.
    request->rc = error_ != 0 && request->bytes < request->length ? rcOf(error_) : FORERUN_OK;
    request->issuedNs = issuedNs;
    request->inFlight = inFlight;
    request->finishedNs = finishedNs;
  }
}

} // namespace forerun

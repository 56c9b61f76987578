// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fetch/FetchRequest.h"

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <sys/types.h>
#include <sys/uio.h>

/// \file
/// One request to the storage: fetch requests that are adjacent, or nearly so, read as one.
/// Threads: belongs to whoever holds it; never shared.

namespace forerun {

class Transfer {
public:
  static constexpr std::size_t kMaxRequests = 16;

  static constexpr std::size_t kMaxBytes = std::size_t{128} << 10; ///< for more than one request

  /// Starts anew with \p requests: one file, ascending, not overlapping, at most kMaxBytes from the
  /// first byte to the last.
  void begin(std::span<FetchRequest *const> requests);

  FetchFile *file() const { return source_; }
  /// What is still to be read.
  std::uint64_t offset() const { return start_ + bytesRead_; }
  std::span<const iovec> vectors() const {
    return {vectorArray_.data() + vectorsDone_, vectorCount_ - vectorsDone_};
  }

  /// Takes the result of a read of `vectors()` at `offset()`: a number of bytes, or -errno. True if
  /// the transfer has reached its end: all read, the file's end, or an error. False: read on.
  bool advance(ssize_t result);

  /// Distributes the result over the requests.
  void settle(std::uint64_t finishedNs);

  std::span<FetchRequest *const> requests() const { return {requestArray_.data(), requestCount_}; }
  std::size_t bytes() const { return bytesRead_; }
  FetchKind kind() const { return requestArray_[0]->kind; }
  std::uint64_t issuedNs = 0;
  unsigned inFlight = 0; ///< transfers of its lane when it was issued
  int descriptor = -1;   ///< the backend's: the descriptor of the read in progress

private:
  void skip(std::size_t bytes);

  FetchFile *source_ = nullptr;
  std::uint64_t start_ = 0;
  std::size_t bytesRead_ = 0;
  int error_ = 0;
  unsigned requestCount_ = 0, vectorCount_ = 0, vectorsDone_ = 0;
  std::array<FetchRequest *, kMaxRequests> requestArray_;
  struct alignas(4096) Gap { // as O_DIRECT needs it
    std::array<std::byte, std::size_t{8} << 10> bytes;
  };
  /// A vector for each request, and for each part of a gap.
  std::array<iovec, 2 * kMaxRequests + kMaxBytes / sizeof(Gap)> vectorArray_;
  std::unique_ptr<Gap> gap_; ///< receives the bytes in between; made when first needed
};

} // namespace forerun

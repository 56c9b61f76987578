// SPDX-License-Identifier: Apache-2.0
#ifndef PBENCH_REPLAY_REQUESTS_H
#define PBENCH_REPLAY_REQUESTS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// \file
/// The requests to replay: what `pbench --dump-trace` wrote, a file for each rank.

namespace pbench {

struct Request {
  std::uint64_t offset;
  std::size_t length;
  std::size_t minLength; ///< bytes that must arrive
};

struct Trace {
  std::vector<Request> requests; ///< of all ranks, one of each rank in turn
  std::size_t ranks = 0;
  std::size_t largest = 0; ///< bytes of the longest request
  std::uint64_t bytes = 0;
};

/// Reads the files; throws std::runtime_error with a message for the user. \p aligned: widens the
/// requests to whole blocks of 4 KiB, as O_DIRECT needs them.
Trace loadTrace(const std::vector<std::string> &files, bool aligned);

} // namespace pbench

#endif

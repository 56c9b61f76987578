// SPDX-License-Identifier: Apache-2.0
#include "Requests.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace pbench {

namespace {

std::vector<Request> loadRank(const std::string &file) {
  std::ifstream lines(file);
  if (!lines)
    throw std::runtime_error("cannot read " + file);
  std::vector<Request> requests;
  Request request{};
  while (lines >> request.offset >> request.length) {
    request.minLength = request.length;
    requests.push_back(request);
  }
  if (!lines.eof() || requests.empty())
    throw std::runtime_error(file + " is not a list of requests (lines of \"offset length\")");
  return requests;
}

void widen(Request &request) {
  constexpr std::uint64_t kBlockBytes = 4096;
  const std::uint64_t before = request.offset % kBlockBytes;
  request.offset -= before;
  request.minLength += before;
  request.length = (request.minLength + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
}

} // namespace

Trace loadTrace(const std::vector<std::string> &files, bool aligned) {
  std::vector<std::vector<Request>> ranks;
  std::size_t longest = 0;
  for (const std::string &file : files) {
    ranks.push_back(loadRank(file));
    longest = std::max(longest, ranks.back().size());
  }
  Trace trace;
  trace.ranks = ranks.size();
  for (std::size_t i = 0; i < longest; ++i)
    for (const auto &requests : ranks)
      if (i < requests.size())
        trace.requests.push_back(requests[i]);
  for (Request &request : trace.requests) {
    if (aligned)
      widen(request);
    trace.largest = std::max(trace.largest, request.length);
    trace.bytes += request.length;
  }
  return trace;
}

} // namespace pbench

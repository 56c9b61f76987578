// SPDX-License-Identifier: Apache-2.0
#include "TimingModel.h"

#include <algorithm>

namespace forerun::testbed {

TimingModel::TimingModel(const TimingParameters &parameters)
    : parameters_(parameters), nextFree_(parameters.servers), requestBytes_(parameters.servers) {}

Nanoseconds TimingModel::read(Nanoseconds now, std::uint64_t offset, std::uint64_t length) {
  return serve(now, offset, length) + parameters_.latency;
}

Nanoseconds TimingModel::write(Nanoseconds now, std::uint64_t offset, std::uint64_t length) {
  return serve(now, offset, length) + parameters_.writeLatency;
}

Nanoseconds TimingModel::serve(Nanoseconds now, std::uint64_t offset, std::uint64_t length) {
  std::fill(requestBytes_.begin(), requestBytes_.end(), 0);
  const std::uint64_t end = offset + length;
  while (offset < end) {
    const std::uint64_t stripe = offset / parameters_.stripeBytes;
    const std::uint64_t stop = std::min(end, (stripe + 1) * parameters_.stripeBytes);
    requestBytes_[stripe % parameters_.servers] += stop - offset;
    offset = stop;
  }

  Nanoseconds finished = now;
  for (unsigned server = 0; server < parameters_.servers; ++server) {
    const std::uint64_t bytes = requestBytes_[server];
    if (bytes == 0)
      continue;
    Nanoseconds busy = parameters_.service;
    if (const std::uint64_t bandwidth = parameters_.bandwidthBytesPerSecond)
      busy += Nanoseconds{bytes * 1'000'000'000 / bandwidth};
    nextFree_[server] = std::max(now, nextFree_[server]) + busy;
    finished = std::max(finished, nextFree_[server]);
  }
  return finished;
}

} // namespace forerun::testbed

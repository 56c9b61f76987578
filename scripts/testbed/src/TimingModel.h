// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

/// \file
/// When a parallel file system of S servers would have answered. A request is split over the
/// servers by stripe. Each server is a queue: a request occupies it for its service time plus its
/// bytes over the bandwidth, one request after the other. The answer arrives one latency after the
/// last server is done. The latency itself (network, client) is not a queue: the latencies of any
/// number of requests overlap.
///
/// Pure arithmetic on the given times; it reads no clock. One thread.

namespace forerun::testbed {

using Nanoseconds = std::chrono::nanoseconds;

struct TimingParameters {
  Nanoseconds latency = std::chrono::milliseconds{1};
  Nanoseconds writeLatency = std::chrono::milliseconds{1};
  Nanoseconds service = std::chrono::microseconds{50};
  unsigned servers = 8;
  std::uint64_t stripeBytes = std::uint64_t{64} << 10;
  std::uint64_t bandwidthBytesPerSecond = 200'000'000; ///< of one server; 0: unlimited

  bool operator==(const TimingParameters &) const = default;
};

class TimingModel {
public:
  explicit TimingModel(const TimingParameters &parameters);

  /// A read of [offset, offset+length) that arrives at \p now: when its answer is due.
  Nanoseconds read(Nanoseconds now, std::uint64_t offset, std::uint64_t length);
  Nanoseconds write(Nanoseconds now, std::uint64_t offset, std::uint64_t length);

  const TimingParameters &parameters() const { return parameters_; }

private:
  Nanoseconds serve(Nanoseconds now, std::uint64_t offset, std::uint64_t length);

  TimingParameters parameters_;
  std::vector<Nanoseconds> nextFree_;       ///< by server
  std::vector<std::uint64_t> requestBytes_; ///< by server, of the current request
};

} // namespace forerun::testbed

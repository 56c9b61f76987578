// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Faults injected into reads, for tests of code that has to survive them. One thread.

namespace forerun::testbed {

/// The fate of one read.
struct ReadFate {
  bool error = false;                ///< fails with EIO
  std::size_t length = 0;            ///< bytes to answer with: fewer than asked is a short read
  std::chrono::nanoseconds delay{0}; ///< in addition to the timing model's
};

class Faults {
public:
  /// Understands
  ///   eio OFFSET LENGTH   reads that touch the range fail
  ///   eio-rate P          reads fail with probability P
  ///   short-rate P        reads return half of what was asked, with probability P
  ///   hang SECONDS        the next read is answered that much later
  ///   clear               no faults any more
  /// Returns an empty string, or what is wrong with the command (nothing has changed then).
  std::string command(std::string_view line);

  /// Decides the fate of the next read; random numbers come from a fixed seed.
  ReadFate decide(std::uint64_t offset, std::size_t length);

  /// The active faults, in the form of the commands that set them.
  std::string describe() const;

private:
  struct Range {
    std::uint64_t offset, length;
  };
  std::vector<Range> errorRanges_;
  double errorRate_ = 0, shortRate_ = 0;
  std::chrono::nanoseconds hang_{0};
  std::minstd_rand random_{1};
};

} // namespace forerun::testbed

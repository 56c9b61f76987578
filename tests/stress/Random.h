// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// \file
/// A random stream that gives the same numbers on every machine and every library (the standard
/// distributions do not), so that a printed seed is enough to repeat a run.

namespace stress {

/// SplitMix64.
class Random {
public:
  Random(std::uint64_t seed, std::uint64_t a, std::uint64_t b = 0)
      : state_(mix(mix(mix(seed) + a) + b)) {}

  std::uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15U); }
  /// From 0 to \p bound - 1; 0 if the bound is 0.
  std::uint64_t below(std::uint64_t bound) { return bound == 0 ? 0 : next() % bound; }
  std::uint64_t between(std::uint64_t least, std::uint64_t most) {
    return least + below(most - least + 1);
  }
  bool oneIn(std::uint64_t n) { return below(n) == 0; }

  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

private:
  std::uint64_t state_;
};

} // namespace stress

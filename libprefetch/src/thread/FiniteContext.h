// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

/// \file
/// The last values of a site, and what usually follows them: a finite-context predictor (Sazeides,
/// Smith, *The Predictability of Data Values*, MICRO 1997) of order 0, which knows what comes most
/// often, and one of the highest order that has recurred, which knows values that come in a *period*:
/// an inner loop that always makes 16 turns before a condition ends it, a step that is larger every
/// tenth time. Belongs to the pre-execution thread.

namespace forerun {

class FiniteContext {
public:
  static constexpr std::size_t kMaxBytes = 64; ///< of a value
  static constexpr std::size_t kValues = 64;
  using Bytes = std::array<std::byte, kMaxBytes>; ///< zeros after the value
  static bool areSame(const Bytes &one, const Bytes &other) {
    return std::memcmp(one.data(), other.data(), kMaxBytes) == 0;
  }

  void learn(const Bytes &value);

  std::size_t learned() const { return learned_; }
  /// From 1, the latest.
  const Bytes &last(std::size_t back = 1) const { return values_[(learned_ - back) % kValues]; }
  /// What comes most often, and its majority so far (Boyer and Moore's vote).
  const Bytes &frequent() const { return frequent_; }
  int majority() const { return votes_; }
  /// How many periods in a row have come again. Of several periods the one that has held for longest
  /// counts, the shortest of these; 0 if that is a single value.
  std::size_t periods() const { return period_ > 1 ? again_[period_ - 1] / period_ : 0; }
  /// The \p ahead-th value after the last one, from 1, if the period goes on.
  const Bytes &inPeriod(std::size_t ahead) const { return last(period_ - (ahead - 1) % period_); }

private:
  static constexpr int kMaxVotes = 8; ///< so that what has become rare is soon voted out

  std::array<Bytes, kValues> values_{}; ///< the latest at learned_ - 1, modulo their number
  std::size_t learned_ = 0;
  std::array<std::uint32_t, kValues> hashes_{}; ///< of the last values, the latest first; 0: none
  /// How many values in a row were as the one 1, 2, ... before.
  std::array<std::uint32_t, kValues> again_{};
  std::size_t period_ = 1;
  Bytes frequent_{};
  int votes_ = 0;
};

} // namespace forerun

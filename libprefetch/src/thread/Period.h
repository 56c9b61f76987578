// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PERIOD_H
#define FORERUN_PERIOD_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// Whether values repeat in a period: an inner loop that always makes 16 turns before a condition
/// ends it, a step that is larger every tenth time. Processors predict the ends of loops so (Sherwood,
/// Calder, *Loop termination prediction*, ISHPC 2000); this also knows what is not a loop.
/// Belongs to the pre-execution thread.

namespace forerun {

class Period {
public:
  static constexpr std::size_t kLongest = 64; ///< values
  static constexpr unsigned kMaxRepeated = 4 * kLongest;

  /// The next value.
  void learn(std::string_view value);
  void forget() { *this = Period(); }

  /// The number of values after which they have come again, at least twice; 0 if there is none, or
  /// if all are the same. Of several the one that has held for longest, the shortest of these.
  std::size_t length() const { return length_; }
  /// How many values in a row were as that many before.
  unsigned repeated() const { return length_ == 0 ? 0 : repeated_[length_]; }
  /// How many values before the last one, from 0, stands what comes as the \p ahead-th after it, from
  /// 1; only if there is a period.
  std::size_t back(std::size_t ahead) const { return length_ - 1 - (ahead - 1) % length_; }

private:
  std::array<std::uint64_t, kLongest> last_{}; ///< hashes of values, the newest at newest_
  std::size_t newest_ = kLongest - 1, known_ = 0;
  std::array<unsigned, kLongest + 1> repeated_{}; ///< by length
  std::size_t length_ = 0;
};

} // namespace forerun

#endif

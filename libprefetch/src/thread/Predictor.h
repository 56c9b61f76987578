// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PREDICTOR_H
#define FORERUN_PREDICTOR_H

#include "between/Forwarding.h"

#include <array>
#include <cstddef>
#include <cstdint>

/// \file
/// What the next value of one site will be, if it goes on as before: the same again, or farther by
/// the same step. Values are taken for numbers of one width, integers or of floating point,
/// whichever has been right; what the outcome of a condition is, is a number, too.
///
/// Confidence: so many values in a row must have been what was to be expected. A prediction that was
/// made and was wrong doubles that, unless many were right before it; a long row takes it back. Four
/// times as many values are predicted as have been right in a row.
/// Belongs to the pre-execution thread.

namespace forerun {

class Predictor {
public:
  static constexpr std::size_t kMostBytes = 64; ///< of a value
  static constexpr unsigned kLeastRow = 2, kLongestRow = 64;
  /// So many times the row that was asked for make up for a wrong one.
  static constexpr unsigned kWorthIt = 4;
  using Bytes = std::array<std::byte, kMostBytes>;

  /// The next value that really came.
  void learn(const Forwarding::Value &value);
  void wasWrong(); ///< a prediction that was made

  bool isConfident() const { return row() >= needed_; }
  /// How many values after the last that came may be predicted.
  std::size_t reach() const { return std::size_t{4} * row(); }
  /// The \p ahead-th value after the last that came, from 1; only if it is confident.
  Bytes predict(std::size_t ahead) const;
  std::size_t bytes() const { return bytes_; }
  std::ptrdiff_t shift() const { return shift_; }

private:
  unsigned row() const { return whole_ > floating_ ? whole_ : floating_; }
  bool isLike(const Forwarding::Value &value) const;

  Bytes last_{}, before_{};
  std::size_t bytes_ = 0;
  std::ptrdiff_t shift_ = 0;
  unsigned known_ = 0; ///< values of this size in a row, at most two
  /// How many in a row went on as before, as integers and as numbers of floating point.
  unsigned whole_ = 0, floating_ = 0;
  unsigned needed_ = kLeastRow;
};

} // namespace forerun

#endif

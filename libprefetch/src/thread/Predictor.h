// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PREDICTOR_H
#define FORERUN_PREDICTOR_H

#include "channels/Forwarding.h"
#include "thread/MispredictionCost.h"
#include "thread/Period.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

/// \file
/// Predicts the next value of one site, assuming that it goes on as before: the same again, or
/// farther by the same step. Values are taken as numbers of one width, integer or floating point,
/// whichever has been right; the outcome of a condition is a number, too.
///
/// Confidence: a number of values in a row must have been as expected. A wrong prediction doubles
/// that number, unless many were right before it; a long row resets it. Four times as many values
/// are predicted as have been right in a row.
///
/// *Runs*: a condition that ends a loop comes out the same until the loop ends, once the other way, and
/// then the same again. So after a value that interrupts a run, that of the run is expected at once,
/// without confidence to be gained, as often as in the shorter one of the last two runs; after that,
/// as often as the run is longer. If the values come in a *period* (Period.h), they are expected as they
/// came, interruptions included.
///
/// *Harmless* sites (MispredictionCost.h): wrong predictions withdraw little that is not announced anew. There
/// the value that comes most often is expected, far ahead, whatever the confidence. It is, not so far,
/// until a first prediction was wrong.
/// Belongs to the pre-execution thread.

namespace forerun {

class Predictor {
public:
  static constexpr std::size_t kMaxBytes = 64; ///< of a value
  static constexpr unsigned kLeastRow = 2, kLongestRow = 64;
  /// This many times the required row makes up for a wrong prediction.
  static constexpr unsigned kWorthIt = 4;
  static constexpr unsigned kLeastRun = 4; ///< shorter runs are none
  static constexpr std::size_t kFirstReach = 16, kHarmlessReach = 24;
  using Bytes = std::array<std::byte, kMaxBytes>;

  /// The next value that really came.
  void learn(const Forwarding::Value &value);
  void wasWrong();                                ///< a prediction that was made
  void judge(MispredictionCost::Verdict verdict); ///< on one that was wrong

  bool isConfident() const { return follows() || isBold(); }
  /// How many values after the last one that came may be predicted; \p boldest: against the rules.
  std::size_t reach(std::size_t boldest = kHarmlessReach) const;
  /// The \p ahead-th value after the last one that came, from 1; only if confident.
  Bytes predict(std::size_t ahead) const;
  std::size_t bytes() const { return bytes_; }
  std::ptrdiff_t shift() const { return shift_; }

private:
  /// The values follow a rule.
  bool follows() const { return isPeriodic() || hasRuns() || row() >= needed_; }
  std::size_t reachByRule() const;
  /// What comes most often is expected, whatever the rules say.
  bool isBold() const { return harmless_ > 0 || (harmless_ == 0 && votes_ >= kLeastRow); }
  unsigned row() const { return whole_ > floating_ ? whole_ : floating_; }
  /// How many in a row came as expected, by whichever rule.
  unsigned right() const { return std::min(std::max(row(), period_.repeated()), kLongestRow); }
  bool isLike(const Forwarding::Value &value) const;
  bool isPeriodic() const { return period_.length() != 0 && period_.repeated() >= needed_; }
  /// Runs of `steady_` that other values interrupt, one at a time.
  bool hasRuns() const { return typical_ >= kLeastRun; }
  void learnRun(const Bytes &value);
  void vote(const Bytes &value);

  Bytes last_{}, before_{};
  std::size_t bytes_ = 0;
  std::ptrdiff_t shift_ = 0;
  unsigned known_ = 0; ///< values of this size in a row, at most two
  /// How many in a row went on as before, as integers and as floating-point numbers.
  unsigned whole_ = 0, floating_ = 0;
  unsigned needed_ = kLeastRow;
  unsigned rowBefore_ = 0; ///< right() before the last value

  static constexpr int kMaxHarmless = 8, kMaxHarmful = -6;
  static constexpr int kHarm = 3; ///< that many without harm make up for one with it
  int harmless_ = 0;  ///< more than 0: most wrong predictions were harmless; 0: not known
  Bytes favourite_{}; ///< what comes most often (Boyer and Moore's vote)
  unsigned votes_ = 0;

  Period period_;
  std::array<Bytes, Period::kLongest> history_{}; ///< the newest at learned_ - 1, modulo its size
  std::size_t learned_ = 0;

  Bytes steady_{};
  std::size_t run_ = 0; ///< how often it has come since it was interrupted
  std::size_t runBefore_ = 0;
  std::size_t typical_ = 0; ///< the shorter one of the last two runs; 0: there were not two
};

} // namespace forerun

#endif

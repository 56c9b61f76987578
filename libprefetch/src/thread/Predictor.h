// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/Forwarding.h"
#include "thread/FiniteContext.h"
#include "thread/MispredictionCost.h"

#include <algorithm>
#include <array>
#include <cstddef>

/// \file
/// Predicts the next values of one site. It is a hybrid value predictor (Wang, Franklin, *Highly
/// Accurate Data Value Prediction using Hybrid Predictors*, MICRO 1997). Its components are what comes
/// most often, what comes in a period (FiniteContext.h), and the last value farther by the last
/// step, in numbers of one width, as integers and as floating point (unless they would be denormal,
/// as small integers are).
///
/// *Tournament* (McFarling, *Combining Branch Predictors*, WRL TN-36, 1993): what comes most often is
/// predicted unless another component has the *edge* over it, counted where just one of them was right.
///
/// *Confidence*: a component gains 1 where it is right and loses kMiss where it is wrong; it is trusted
/// from kTrusted on. Directly after a miss another count says whether to trust it (the correctness
/// history of Jacobsen, Rotenberg, Smith, *Assigning Confidence to Conditional Branch Predictions*,
/// MICRO 1996): of a condition that ends a loop after some turns, the next loop's first turn may be
/// certain, while the next value of a step that has changed is not.
///
/// *Harm* (MispredictionCost.h): where wrong predictions withdraw little that is not announced anew,
/// any prediction is better than none. While that is not known, a majority is predicted. Each
/// prediction that did harm doubles how many values in a row may be needed to make up for misses.
/// Belongs to the pre-execution thread.

namespace forerun {

class Predictor {
public:
  using Bytes = FiniteContext::Bytes;
  static constexpr std::size_t kMaxBytes = FiniteContext::kMaxBytes; ///< of a value
  static constexpr int kTrusted = 2, kMiss = 7, kMaxConfidence = 31;
  static constexpr std::size_t kHarmlessReach = 24;

  /// The next value that really came.
  void learn(const Forwarding::Value &value);
  void judge(MispredictionCost::Verdict verdict); ///< on a prediction that was wrong

  bool isConfident() const;
  /// How many values after the last one that came may be predicted: four times as many as have been
  /// right in a row, and where nothing is known of harm at least \p boldest.
  std::size_t reach(std::size_t boldest = kHarmlessReach) const;
  /// The \p ahead-th value after the last one that came, from 1; only if confident.
  Bytes predict(std::size_t ahead) const { return expect(leader(), ahead); }
  std::size_t bytes() const { return bytes_; }
  std::ptrdiff_t shift() const { return shift_; }

private:
  enum Component { Frequent, Periodic, Floating, Whole, kComponents };
  struct Standing {
    int confidence = 0, afterMiss = 0;
    int edge = 0;     ///< over Frequent
    unsigned row = 0; ///< how often in a row it was right
    bool missed = false;

    void note(bool isRight, bool isFrequent, int floor);
    bool isTrusted() const { return (missed ? afterMiss : confidence) >= kTrusted; }
  };
  static constexpr int kMaxEdge = 4;
  static constexpr int kMaxHarmless = 8, kMaxHarmful = 15;
  static constexpr int kHarm = 3; ///< that many without harm make up for one with it

  bool hasExpectation(Component component) const;
  Bytes expect(Component component, std::size_t ahead) const;
  Component leader() const;
  const Standing &leading() const { return standings_[leader()]; }
  int floor() const;
  void compare(const Bytes &now);

  FiniteContext context_;
  std::size_t bytes_ = 0;
  std::ptrdiff_t shift_ = 0;
  /// A step that is right once by chance has no edge yet.
  std::array<Standing, kComponents> standings_{{{}, {}, {.edge = -1}, {.edge = -1}}};
  int harm_ = 0; ///< more than 0: most wrong predictions did harm; 0: not known
};

} // namespace forerun

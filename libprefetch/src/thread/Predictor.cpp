// SPDX-License-Identifier: Apache-2.0
#include "thread/Predictor.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace forerun {
namespace {

using Bytes = Predictor::Bytes;

/// What follows \p before and \p last in arithmetic of \p Number, number by number. Integers are
/// unsigned: they may wrap around.
template <class Number> Bytes next(const Bytes &before, const Bytes &last, std::size_t bytes) {
  Bytes result{};
  for (std::size_t at = 0; at + sizeof(Number) <= bytes; at += sizeof(Number)) {
    Number one{}, two{};
    std::memcpy(&one, before.data() + at, sizeof one);
    std::memcpy(&two, last.data() + at, sizeof two);
    const auto step = static_cast<Number>(two - one);
    const auto three = static_cast<Number>(two + step);
    std::memcpy(result.data() + at, &three, sizeof three);
  }
  return result;
}

/// The widest numbers that such a value can consist of.
Bytes nextWhole(const Bytes &before, const Bytes &last, std::size_t bytes) {
  if (bytes % sizeof(std::uint64_t) == 0)
    return next<std::uint64_t>(before, last, bytes);
  if (bytes % sizeof(std::uint32_t) == 0)
    return next<std::uint32_t>(before, last, bytes);
  if (bytes % sizeof(std::uint16_t) == 0)
    return next<std::uint16_t>(before, last, bytes);
  return next<std::uint8_t>(before, last, bytes);
}

Bytes nextFloating(const Bytes &before, const Bytes &last, std::size_t bytes) {
  return bytes % sizeof(double) == 0 ? next<double>(before, last, bytes)
                                     : next<float>(before, last, bytes);
}

} // namespace

bool Predictor::isLike(const Forwarding::Value &value) const {
  return value.bytes == bytes_ && value.shift == shift_;
}

std::size_t Predictor::reach(std::size_t boldest) const {
  const std::size_t byRule = follows() ? reachByRule() : 0;
  if (!isBold())
    return byRule;
  return std::max(byRule, std::min(boldest, harmless_ > 0 ? kHarmlessReach : kFirstReach));
}

std::size_t Predictor::reachByRule() const {
  if (isPeriodic())
    return std::size_t{4} * std::min(period_.repeated(), kLongestRow);
  if (!hasRuns())
    return std::size_t{4} * row();
  return run_ < typical_ ? typical_ - run_ : run_ - typical_ + 1;
}

void Predictor::learnRun(const Bytes &value) {
  const bool isAgain = known_ > 0 && value == last_;
  if (isAgain && value != steady_) { // twice: no longer an interruption
    steady_ = value;
    run_ = 2;
    runBefore_ = typical_ = 0;
  } else if (value == steady_) {
    ++run_;
  } else if (run_ != 0) {
    typical_ = std::min(runBefore_, run_);
    runBefore_ = std::exchange(run_, 0);
  } else { // two in a row: no interruption
    runBefore_ = typical_ = 0;
  }
}

void Predictor::vote(const Bytes &value) {
  constexpr unsigned kMax = 8; // so that what has become rare is soon voted out
  if (votes_ == 0)
    favourite_ = value;
  votes_ = value == favourite_ ? std::min(votes_ + 1, kMax) : votes_ - 1;
}

void Predictor::learn(const Forwarding::Value &value) {
  rowBefore_ = right();
  if (value.bytes > kMaxBytes || !isLike(value)) {
    known_ = whole_ = floating_ = 0;
    run_ = runBefore_ = typical_ = 0;
    period_.forget();
    votes_ = 0;
    bytes_ = value.bytes;
    shift_ = value.shift;
  }
  if (value.bytes > kMaxBytes)
    return;
  const auto isThis = [&](const Bytes &expected) {
    return value.bytes == 0 || std::memcmp(expected.data(), value.data, value.bytes) == 0;
  };
  if (known_ == 2) {
    whole_ = isThis(nextWhole(before_, last_, bytes_)) ? std::min(whole_ + 1, kLongestRow) : 0;
    const bool canFloat = bytes_ % sizeof(float) == 0 && bytes_ != 0;
    floating_ = canFloat && isThis(nextFloating(before_, last_, bytes_))
                    ? std::min(floating_ + 1, kLongestRow)
                    : 0;
  }
  Bytes now{};
  if (value.bytes != 0)
    std::memcpy(now.data(), value.data, value.bytes);
  learnRun(now);
  vote(now);
  period_.learn({reinterpret_cast<const char *>(now.data()), bytes_});
  history_[learned_++ % history_.size()] = now;
  before_ = std::exchange(last_, now);
  known_ = std::min(known_ + 1, 2U);
  if (right() == kLongestRow)
    needed_ = kLeastRow;
}

void Predictor::wasWrong() {
  needed_ = std::max(rowBefore_, right()) < kWorthIt * needed_ ? std::min(2 * needed_, kLongestRow)
                                                               : std::max(needed_ / 2, kLeastRow);
}

void Predictor::judge(MispredictionCost::Verdict verdict) {
  if (verdict == MispredictionCost::Verdict::Harmless)
    harmless_ = std::min(harmless_ + 1, kMaxHarmless);
  if (verdict == MispredictionCost::Verdict::Harmful)
    harmless_ = std::max(harmless_ - kHarm, kMaxHarmful);
}

Bytes Predictor::predict(std::size_t ahead) const {
  if (!follows())
    return favourite_;
  if (isPeriodic())
    return history_[(learned_ - 1 - period_.back(ahead)) % history_.size()];
  if (hasRuns())
    return steady_;
  Bytes before = before_, last = last_;
  for (; ahead > 0; --ahead) {
    const Bytes made =
        whole_ >= floating_ ? nextWhole(before, last, bytes_) : nextFloating(before, last, bytes_);
    before = last;
    last = made;
  }
  return last;
}

} // namespace forerun

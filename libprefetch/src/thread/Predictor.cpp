// SPDX-License-Identifier: Apache-2.0
#include "thread/Predictor.h"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace forerun {
namespace {

using Bytes = Predictor::Bytes;

/// The \p ahead-th after \p before and \p last in arithmetic of \p Number, number by number. Integers
/// are unsigned: they may wrap around.
template <class Number>
Bytes advance(const Bytes &before, const Bytes &last, std::size_t bytes, std::size_t ahead) {
  Bytes result{};
  for (std::size_t at = 0; at + sizeof(Number) <= bytes; at += sizeof(Number)) {
    Number one{}, two{};
    std::memcpy(&one, before.data() + at, sizeof one);
    std::memcpy(&two, last.data() + at, sizeof two);
    const auto step = static_cast<Number>(two - one);
    for (std::size_t i = 0; i < ahead; ++i) // floating-point numbers are rounded each time
      two = static_cast<Number>(two + step);
    std::memcpy(result.data() + at, &two, sizeof two);
  }
  return result;
}

template <class Number> bool hasDenormal(const Bytes &value, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += sizeof(Number)) {
    Number number{};
    std::memcpy(&number, value.data() + at, sizeof number);
    if (std::fpclassify(number) == FP_SUBNORMAL)
      return true;
  }
  return false;
}

} // namespace

bool Predictor::hasExpectation(Component component) const {
  switch (component) {
  case Frequent:
    return true;
  case Periodic:
    return context_.periods() != 0;
  case Floating:
    return context_.learned() > 1 && bytes_ % sizeof(float) == 0 &&
           !(bytes_ % sizeof(double) == 0 ? hasDenormal<double>(context_.last(), bytes_)
                                          : hasDenormal<float>(context_.last(), bytes_));
  default:
    return context_.learned() > 1;
  }
}

/// Numbers are the widest ones that such a value can consist of.
Bytes Predictor::expect(Component component, std::size_t ahead) const {
  const auto number = [&]<class Number>(Number) {
    return advance<Number>(context_.last(2), context_.last(), bytes_, ahead);
  };
  switch (component) {
  case Frequent:
    return context_.frequent();
  case Periodic:
    return context_.inPeriod(ahead);
  case Floating:
    return bytes_ % sizeof(double) == 0 ? number(double{}) : number(float{});
  default:
    return bytes_ % sizeof(std::uint64_t) == 0   ? number(std::uint64_t{})
           : bytes_ % sizeof(std::uint32_t) == 0 ? number(std::uint32_t{})
           : bytes_ % sizeof(std::uint16_t) == 0 ? number(std::uint16_t{})
                                                 : number(std::uint8_t{});
  }
}

/// A period that has come again only once may be chance.
Predictor::Component Predictor::leader() const {
  Component leader = Frequent;
  for (const Component each : {Periodic, Floating, Whole})
    if (hasExpectation(each) && (each != Periodic || context_.periods() > 1) &&
        standings_[each].edge > standings_[leader].edge)
      leader = each;
  return leader;
}

/// While nothing is known of harm, a majority suffices: what a wrong prediction costs can only be seen
/// where the thread goes on.
bool Predictor::isConfident() const {
  if (harm_ < 0)
    return context_.learned() != 0;
  return leading().isTrusted() || (harm_ == 0 && context_.majority() >= kTrusted);
}

/// Confidence is not lower than that, however much was wrong.
int Predictor::floor() const {
  return harm_ > 0 ? kTrusted - (2 << (harm_ + kHarm - 1) / kHarm) : 0;
}

std::size_t Predictor::reach(std::size_t boldest) const {
  const std::size_t byRow = std::max<std::size_t>(1, std::size_t{4} * leading().row);
  return harm_ > 0 ? byRow : std::max(byRow, std::min(boldest, kHarmlessReach));
}

void Predictor::Standing::note(bool isRight, bool isFrequent, int floor) {
  constexpr unsigned kLongestRow = 64;
  const auto count = [&](int &sum) {
    sum = isRight ? std::min(sum + 1, kMaxConfidence) : std::max(sum - kMiss, floor);
  };
  if (isRight != isFrequent)
    edge = std::clamp(edge + (isRight ? 1 : -1), -kMaxEdge, kMaxEdge);
  count(confidence);
  if (missed)
    count(afterMiss);
  missed = !isRight;
  row = isRight ? std::min(row + 1, kLongestRow) : 0;
}

void Predictor::compare(const Bytes &now) {
  const auto areSame = FiniteContext::areSame;
  const bool isFrequent = areSame(context_.frequent(), now);
  for (const Component each : {Frequent, Periodic, Floating, Whole})
    if (hasExpectation(each))
      standings_[each].note(areSame(expect(each, 1), now), isFrequent, floor());
}

void Predictor::learn(const Forwarding::Value &value) {
  if (value.bytes != bytes_ || value.shift != shift_) { // another kind of value
    const int harm = harm_;
    *this = Predictor();
    bytes_ = value.bytes;
    shift_ = value.shift;
    harm_ = harm;
  }
  if (bytes_ > kMaxBytes)
    return;
  Bytes now{};
  if (bytes_ != 0)
    std::memcpy(now.data(), value.data, bytes_);
  if (context_.learned() != 0)
    compare(now);
  context_.learn(now);
}

void Predictor::judge(MispredictionCost::Verdict verdict) {
  if (verdict == MispredictionCost::Verdict::Harmless)
    harm_ = std::max(harm_ - 1, -kMaxHarmless);
  if (verdict == MispredictionCost::Verdict::Harmful)
    harm_ = std::min(harm_ + kHarm, kMaxHarmful);
}

} // namespace forerun

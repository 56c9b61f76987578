// SPDX-License-Identifier: Apache-2.0
#include "thread/MispredictionCost.h"

#include <algorithm>

namespace forerun {
namespace {

bool isSame(const Record &one, const Record &other) {
  return one.slot == other.slot && one.generation == other.generation &&
         one.offset == other.offset && one.length == other.length;
}

} // namespace

bool MispredictionCost::begin(int site, std::uint32_t firstPrediction) {
  begin_ = noted_;
  const std::uint64_t known = std::min<std::uint64_t>(begin_, kRing);
  std::uint64_t first = begin_;
  while (first > begin_ - known && noted(first - 1).prediction >= firstPrediction)
    --first;
  count_ = static_cast<std::size_t>(std::min<std::uint64_t>(begin_ - first, kMax));
  for (std::size_t i = 0; i < count_; ++i)
    withdrawn_[i] = noted(first + i);
  const bool isKnown = begin_ - first < kRing; // the first of them are still there
  site_ = count_ != 0 && isKnown ? site : -1;
  return count_ != 0;
}

/// How many of what was withdrawn cannot come anew: the thread was late, and left these calls out.
std::size_t MispredictionCost::late() const {
  const CallId first = noted(begin_).call;
  std::size_t late = 0;
  for (std::size_t i = 0; i < count_; ++i)
    if (withdrawn_[i].call.site == first.site && withdrawn_[i].call.occurrence < first.occurrence)
      late = i + 1;
  return late;
}

/// Both in their order: what was skipped before something that came anew will not come any more.
MispredictionCost::Verdict MispredictionCost::verdict() const {
  const auto came =
      static_cast<std::size_t>(std::min<std::uint64_t>(noted_ - begin_, count_ + kExtra));
  if (site_ < 0 || came == 0)
    return Verdict::Unknown;
  if (noted_ - begin_ > kRing) // the first are no longer there
    return Verdict::Moot;
  const std::size_t first = late();
  if (first == count_)
    return Verdict::Moot;
  std::size_t anew = 0, past = first;
  for (std::size_t i = 0; i < came; ++i) {
    std::size_t at = past;
    while (at < count_ && !isSame(withdrawn_[at], noted(begin_ + i)))
      ++at;
    if (at < count_) {
      past = at + 1;
      ++anew;
    }
  }
  if (anew == 0)
    return came > kExtra ? Verdict::Harmful : Verdict::Unknown;
  return 4 * anew >= 3 * (past - first) ? Verdict::Harmless : Verdict::Harmful;
}

MispredictionCost::Verdict MispredictionCost::lastVerdict() const {
  const Verdict found = verdict();
  return site_ >= 0 && found == Verdict::Unknown && noted_ > begin_ ? Verdict::Harmful : found;
}

} // namespace forerun

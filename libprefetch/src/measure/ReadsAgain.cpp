// SPDX-License-Identifier: Apache-2.0
#include "measure/ReadsAgain.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace forerun {

ReadsAgain::ReadsAgain(ReadSamples::Kept kept) : reads_(kept.reads) {
  for (ReadSamples::Group &group : kept.groups) {
    Weighed weighed;
    for (const ReadSamples::Read &read : group)
      weighed.weights.push_back(read.isLarger ? kNever : ReadSamples::bytesOf(read.ranges));
    weighed.reads = std::move(group);
    groups_.push_back(std::move(weighed));
  }
}

const ReadSamples::Read *ReadsAgain::kept(std::size_t n) const {
  const std::size_t group = n / ReadSamples::kGroupReads, read = n % ReadSamples::kGroupReads;
  return group < groups_.size() && read < groups_[group].reads.size() ? &groups_[group].reads[read]
                                                                      : nullptr;
}

void ReadsAgain::weigh(std::size_t n, std::uint64_t weight) {
  if (kept(n) != nullptr)
    groups_[n / ReadSamples::kGroupReads].weights[n % ReadSamples::kGroupReads] = weight;
}

/// By weight; without those that cannot be made once more.
void ReadsAgain::sort() {
  isSorted_ = true;
  std::erase_if(groups_, [](const Weighed &group) {
    return group.weights.empty() || std::ranges::find(group.weights, kNever) != group.weights.end();
  });
  for (Weighed &group : groups_)
    group.weight = std::accumulate(group.weights.begin(), group.weights.end(), 0.0) /
                   static_cast<double>(group.weights.size());
  std::ranges::stable_sort(groups_, {}, &Weighed::weight);
}

/// In the middle, then in the middles of the halves, and so on, the heavier first: they would be
/// missed most if there is no time for all. The number of groups: there are no more.
std::size_t ReadsAgain::nextPlace() const {
  if (made_ >= kMaxGroups)
    return groups_.size();
  for (std::size_t parts = 2; parts / 2 <= groups_.size(); parts *= 2)
    for (std::size_t part = parts; part-- > 1;)
      if (const std::size_t place = part * groups_.size() / parts; !groups_[place].isMade)
        return place;
  return groups_.size();
}

const ReadsAgain::Weighed *ReadsAgain::nearest(std::size_t place) const {
  for (std::size_t distance = 0; distance < groups_.size(); ++distance) {
    if (distance <= place && groups_[place - distance].isMade)
      return &groups_[place - distance];
    if (place + distance < groups_.size() && groups_[place + distance].isMade)
      return &groups_[place + distance];
  }
  return nullptr;
}

/// As much longer as it is heavier, but no longer than slow storage takes for what it has more.
std::uint64_t ReadsAgain::expectedNs(std::size_t place) const {
  const Weighed &group = groups_[place];
  const auto reads = static_cast<double>(group.reads.size());
  const Weighed *const known = nearest(place);
  if (known == nullptr)
    return static_cast<std::uint64_t>(reads * group.weight / kLeastBytesPerNs);
  const double more = std::max(0.0, group.weight - known->weight) / kLeastBytesPerNs;
  const double longer = known->againNs * std::max(1.0, group.weight / std::max(1.0, known->weight));
  return static_cast<std::uint64_t>(reads * std::min(longer, known->againNs + more));
}

std::span<const ReadSamples::Read>
ReadsAgain::next(const std::function<bool(const Price &)> &isWorth) {
  if (!isSorted_)
    sort();
  current_ = nextPlace();
  if (current_ == groups_.size() ||
      !isWorth({.ns = expectedNs(current_),
                .spentNs = spentNs_,
                .wantedNs = isEnough() ? 0 : static_cast<std::uint64_t>(allNs())}))
    return {};
  return groups_[current_].reads;
}

void ReadsAgain::took(std::uint64_t ns) {
  Weighed &group = groups_[current_];
  group.isMade = true;
  group.againNs = static_cast<double>(ns) / static_cast<double>(group.reads.size());
  ++made_;
  again_ += group.reads.size();
  spentNs_ += ns;
}

bool ReadsAgain::isEnough() const {
  if (made_ == 0)
    return false;
  return made_ >= std::min(kLeastGroups, groups_.size()) ||
         groups_.back().weight <= kAlike * groups_.front().weight;
}

/// As far as is known from those made once more.
double ReadsAgain::allNs() const {
  if (made_ == 0)
    return 0;
  double ns = 0;
  std::size_t reads = 0;
  for (std::size_t place = 0; place < groups_.size(); ++place) {
    const std::size_t its = groups_[place].reads.size();
    ns += nearest(place)->againNs * static_cast<double>(its);
    reads += its;
  }
  return ns * static_cast<double>(reads_) / static_cast<double>(reads);
}

std::optional<ReadsAgain::Basis> ReadsAgain::basis() const {
  if (!isEnough())
    return std::nullopt;
  return Basis{reads_, allNs(), again_};
}

} // namespace forerun

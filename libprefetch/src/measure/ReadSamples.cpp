// SPDX-License-Identifier: Apache-2.0
#include "measure/ReadSamples.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace forerun {
namespace {

/// The same random number for \p n in every process: SplitMix64.
std::uint64_t randomOf(std::uint64_t n) {
  std::uint64_t z = (n + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

} // namespace

std::uint64_t ReadSamples::bytesOf(std::span<const forerun_range> ranges) {
  return std::accumulate(
      ranges.begin(), ranges.end(), std::uint64_t{0},
      [](std::uint64_t sum, const forerun_range &range) { return sum + range.length; });
}

bool ReadSamples::isLarger(std::span<const forerun_range> ranges) {
  return ranges.size() > kMaxRanges || bytesOf(ranges) > kMaxBytes;
}

ReadSamples::Group *ReadSamples::draw(OfForm &of, std::uint64_t group) {
  const std::uint64_t place = group < kGroups ? group : randomOf(group) % (group + 1);
  if (place >= kGroups)
    return nullptr;
  std::vector<Group> &groups = of.kept.groups;
  groups.reserve(kGroups); // `current` points into it
  if (place == groups.size())
    groups.emplace_back();
  groups[place].clear();
  return &groups[place];
}

void ReadSamples::add(ReadForm form, std::span<const forerun_range> ranges, bool isFirst) {
  const MutexLock lock(mutex_);
  OfForm &of = forms_[static_cast<std::size_t>(form)];
  const std::uint64_t number = of.kept.reads++;
  if (number % kGroupReads == 0)
    of.current = draw(of, number / kGroupReads);
  if (of.current == nullptr)
    return;
  if (isLarger(ranges))
    of.current->push_back({{}, isFirst, true});
  else
    of.current->push_back({{ranges.begin(), ranges.end()}, isFirst, false});
}

ReadSamples::Kept ReadSamples::take(ReadForm form) {
  const MutexLock lock(mutex_);
  OfForm &of = forms_[static_cast<std::size_t>(form)];
  of.current = nullptr;
  return std::exchange(of.kept, {});
}

bool BytesSeen::addAll(std::span<const forerun_range> ranges) {
  const MutexLock lock(mutex_);
  bool isSeen = true;
  for (const forerun_range &range : ranges) {
    if (range.length == 0)
      continue;
    const std::uint64_t end = (range.offset + range.length - 1) / kBlockBytes + 1;
    if (end > kMaxBlocks) {
      isSeen = false;
      continue;
    }
    if (end > blocks_.size())
      blocks_.resize(std::max<std::uint64_t>(end, std::min(2 * blocks_.size(), kMaxBlocks)));
    for (std::uint64_t block = range.offset / kBlockBytes; block < end; ++block) {
      isSeen = isSeen && blocks_[block];
      blocks_[block] = true;
    }
  }
  return isSeen;
}

} // namespace forerun

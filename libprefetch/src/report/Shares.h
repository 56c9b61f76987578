// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/Figures.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Derived figures for readers, for both forms of the report.

namespace forerun {

inline double seconds(std::uint64_t ns) {
  constexpr double kNsPerSecond = 1e9;
  return static_cast<double>(ns) / kNsPerSecond;
}

/// In percent; 0 if the whole is 0.
inline double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

/// The part of the time without Forerun that it took away.
inline std::uint64_t hiddenNs(std::uint64_t readNs, std::uint64_t withoutNs) {
  return withoutNs > readNs ? withoutNs - readNs : 0;
}

/// Sorted by time, the most expensive first.
template <class Key>
std::vector<std::pair<Key, ReadFigures>> byTime(const std::map<Key, ReadFigures> &all) {
  std::vector<std::pair<Key, ReadFigures>> sorted(all.begin(), all.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto &one, const auto &other) {
    return std::max(one.second.readNs, one.second.withoutNs) >
           std::max(other.second.readNs, other.second.withoutNs);
  });
  return sorted;
}

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#include "base/UnknownOptions.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace forerun {
namespace {

constexpr std::size_t kMaxApart = 2;

/// Damerau and Levenshtein's distance, in which letters that are exchanged are not changed again.
std::size_t distance(std::string_view one, std::string_view other) {
  // Of the beginnings of `one` to those of `other`: for the letter before the last, the last, this.
  std::array<std::vector<std::size_t>, 3> rows;
  rows.fill(std::vector<std::size_t>(other.size() + 1));
  for (std::size_t k = 0; k <= other.size(); ++k)
    rows[2][k] = k;
  for (std::size_t i = 1; i <= one.size(); ++i) {
    std::rotate(rows.begin(), rows.begin() + 1, rows.end());
    rows[2][0] = i;
    for (std::size_t k = 1; k <= other.size(); ++k) {
      const std::size_t replaced = rows[1][k - 1] + (one[i - 1] != other[k - 1] ? 1 : 0);
      rows[2][k] = std::min({replaced, rows[1][k] + 1, rows[2][k - 1] + 1});
      if (i > 1 && k > 1 && one[i - 1] == other[k - 2] && one[i - 2] == other[k - 1])
        rows[2][k] = std::min(rows[2][k], rows[0][k - 2] + 1);
    }
  }
  return rows[2].back();
}

} // namespace

std::optional<std::string> probablyMeant(std::string_view name,
                                         std::span<const std::string> names) {
  std::optional<std::string> result;
  std::size_t least = kMaxApart + 1;
  for (const std::string &each : names) {
    if (each == name)
      return std::nullopt;
    if (const std::size_t apart = distance(name, each); apart < least) {
      least = apart;
      result = each;
    }
  }
  return result;
}

} // namespace forerun

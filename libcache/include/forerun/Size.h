// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace forerun {

/// A number of bytes as in options: "4096", "64K", "32m", "1G", in powers of 1024. Nothing if
/// \p text is anything else, or too large.
inline std::optional<std::uint64_t> parseSize(std::string_view text) {
  const char *const last = text.data() + text.size();
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc{})
    return std::nullopt;
  if (end == last)
    return number;
  constexpr std::string_view kSuffixes = "KkMmGg";
  const auto suffix = kSuffixes.find(*end);
  if (end + 1 != last || suffix == std::string_view::npos)
    return std::nullopt;
  const auto shift = 10 * (static_cast<unsigned>(suffix) / 2 + 1);
  if (number > (std::numeric_limits<std::uint64_t>::max() >> shift))
    return std::nullopt;
  return number << shift;
}

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "TimingModel.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The command line of forerun-testbed.

namespace forerun::testbed {

enum class Verb { Start, Stop, Status, Help, Version };

struct Settings {
  Verb verb = Verb::Help;
  TimingParameters timing;
  bool kernelCache = false; ///< let the kernel cache what was read
  std::string backing;      ///< absolute; only for Start
  std::string mountPoint;   ///< absolute; empty for Status of all
};

/// Parses \p arguments (without the program's name). On failure returns nothing and sets \p error.
std::optional<Settings> parseSettings(const std::vector<std::string> &arguments,
                                      std::string &error);

/// "1ms", "50us", "2s", "300ns"; nothing if \p text is not a time.
std::optional<Nanoseconds> parseTime(std::string_view text);
/// "64K", "200M", "1G" (binary for sizes: \p unit 1024; decimal for rates: \p unit 1000).
std::optional<std::uint64_t> parseAmount(std::string_view text, std::uint64_t unit);

/// The model in one line, in the words of the command line.
std::string describe(const TimingParameters &timing, bool kernelCache);

extern const char *const kUsage;

} // namespace forerun::testbed

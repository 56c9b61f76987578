// SPDX-License-Identifier: Apache-2.0
#include "report/RunInfo.h"

#include "forerun/Clock.h"

#include <array>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <system_error>

namespace forerun {
namespace {

// Taken while the library is loaded.
const std::time_t kStarted = std::time(nullptr);
const std::uint64_t kStartedNs = nowNs();

std::string programPath() {
  std::error_code failure;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", failure);
  return failure ? program_invocation_name : path.string();
}

std::string isoOf(std::time_t time) {
  std::tm parts{};
  std::array<char, 32> text{};
  if (gmtime_r(&time, &parts) != nullptr)
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

} // namespace

RunInfo runInfo() { return {programPath(), isoOf(kStarted), nowNs() - kStartedNs}; }

} // namespace forerun

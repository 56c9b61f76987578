// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

/// \file
/// Which run a report is of: what is known of this process when it is kept beside others. Any
/// thread.

namespace forerun {

struct RunInfo {
  std::string program; ///< path of the executable; as it was called, if the system does not tell
  std::string started; ///< when this library was loaded, which is where programs start: ISO 8601,
                       ///< UTC, to the second
  std::uint64_t elapsedNs = 0; ///< since then
};

RunInfo runInfo();

} // namespace forerun

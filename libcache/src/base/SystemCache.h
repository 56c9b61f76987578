// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// \file
/// What the operating system's own page cache holds. Any thread; never waits for storage.

namespace forerun {

/// True if every page of the range of \p fd's file is there, or being read; false also if the
/// system does not tell.
bool inSystemCache(int fd, std::uint64_t offset, std::uint64_t length);

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_RESIDENCY_H
#define FORERUN_RESIDENCY_H

#include <cstdint>

/// \file
/// What the operating system's page cache holds.

namespace forerun {

/// True if every page of [offset, offset+length) of \p fd is there, or on its way. Asks cachestat
/// (Linux 6.5), which neither waits nor brings anything, in half a microsecond for 64 KiB. False if
/// the system does not tell. Any thread.
bool isResident(int fd, std::uint64_t offset, std::uint64_t length);

} // namespace forerun

#endif

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/door.h"

#include <cstddef>
#include <cstdint>

/// \file
/// The door's entries for what changes a file, or what a read has to see of it.

namespace forerun {

class CacheHost;

/// The non-blocking writes through \p handle are complete, and an epoch begins.
void settle(CacheHost &host, forerun_handle &handle);

namespace entries {

void written(forerun_handle *h, const forerun_range *ranges, std::size_t count);
void wrote(forerun_handle *h, const void *buffer, std::uint64_t offset, std::size_t length);
void writing(forerun_handle *h, const forerun_range *ranges, std::size_t count);
void epoch(forerun_handle *h, int settled);
void atomicity(forerun_handle *h, int atomic);

} // namespace entries
} // namespace forerun

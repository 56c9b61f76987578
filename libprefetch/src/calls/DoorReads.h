// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/door.h"

#include <cstddef>
#include <cstdint>

/// \file
/// The door's entries for the program's reads.

namespace forerun::entries {

int read(forerun_handle *h, void *buffer, std::uint64_t offset, std::size_t length,
         std::size_t *got, std::uint64_t *ticket);
int copy(void *to, const void *from, std::size_t length);
void missed(forerun_handle *h, const void *buffer, std::uint64_t offset, std::size_t length,
            std::size_t got, std::uint64_t ticket, std::uint64_t elapsedNs);
void started(forerun_handle *h, std::uint64_t offset, std::size_t length);
int covered(forerun_handle *h, const forerun_range *ranges, std::size_t count);

} // namespace forerun::entries

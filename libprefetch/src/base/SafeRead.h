// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

/// \file
/// Reads memory that may not be mapped: by a system call, which reports an error where a plain load
/// would end the process. `errno` stays as it is.
/// Threads: any.

namespace forerun {

/// Copies up to \p bytes from \p from. Returns how many of them, from the first one on, could be
/// read; 0 also if the system does not allow the call.
std::size_t readIfThere(const void *from, void *to, std::size_t bytes);

/// The text at \p text, up to its end or to where nothing can be read; null: empty. A text of more
/// than 16 MiB, which nobody hands over, is cut.
std::string textIfThere(const char *text);

} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_READABLE_H
#define FORERUN_READABLE_H

#include <cstddef>
#include <string>

/// \file
/// Reads memory of which it is not known whether it is there: by a system call, which says so
/// where a plain load would end the process. `errno` stays as it is.
/// Threads: any.

namespace forerun {

/// Copies what lies at \p from, up to \p bytes. Returns how many of them, from the first one on,
/// could be read; none also where the system does not allow the call.
std::size_t readIfThere(const void *from, void *to, std::size_t bytes);

/// The text at \p text, up to its end or to where nothing can be read; null: empty. Of more than 16 MiB,
/// which nobody hands over, not all.
std::string textIfThere(const char *text);

} // namespace forerun

#endif

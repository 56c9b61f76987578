// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

namespace forerun {

/// What the calling thread opens from now on takes no number that the program could be given; stderr
/// is kept for messages. Where the system does not know the call, it shares the program's.
inline void haveOwnDescriptors() {
#ifdef SYS_close_range
  constexpr unsigned kUnshare = 1U << 1; // CLOSE_RANGE_UNSHARE, which headers may lack
  if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, kUnshare) == 0)
    syscall(SYS_close_range, STDIN_FILENO, STDOUT_FILENO, 0U);
#endif
}

} // namespace forerun

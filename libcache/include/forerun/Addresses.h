// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <limits>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace forerun {

/// Bytes of memory, used or not, that the process may still map where that is limited (RLIMIT_AS):
/// what Forerun takes of them, the program may lack. Any thread, including the pre-execution
/// thread: hence system calls, as a library interposed before libc's functions may have a lock.
inline std::uint64_t addressesLeft() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<std::uint64_t>::max();
  std::array<char, 64> text{};
  const long fd = syscall(SYS_openat, AT_FDCWD, "/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (fd < 0 || syscall(SYS_read, fd, text.data(), text.size() - 1) <= 0)
    text[0] = '\0'; // treated as nothing mapped
  if (fd >= 0)
    syscall(SYS_close, fd);
  const std::uint64_t mapped =
      std::strtoull(text.data(), nullptr, 10) * static_cast<std::uint64_t>(getpagesize());
  return limit.rlim_cur > mapped ? limit.rlim_cur - mapped : 0;
}

} // namespace forerun

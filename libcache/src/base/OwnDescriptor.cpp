// SPDX-License-Identifier: Apache-2.0
#include "base/OwnDescriptor.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace forerun {
namespace {

/// No higher than necessary: the kernel's table is as long as the highest number.
constexpr rlim_t kFarNumber = 8192;
constexpr rlim_t kMaxOwn = 64;

int copyAbove(int fd, rlim_t lowest) {
  return fcntl(fd, F_DUPFD_CLOEXEC, static_cast<int>(lowest));
}

} // namespace

int moveAboveTheProgram(int fd) {
  int moved = -1;
  rlimit limit{};
  if (fd >= 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    const rlim_t lowest = std::min(limit.rlim_cur, kFarNumber);
    const rlimit raised{lowest + kMaxOwn, limit.rlim_max};
    if (raised.rlim_cur <= limit.rlim_cur) {
      moved = copyAbove(fd, lowest);
    } else if (raised.rlim_cur <= limit.rlim_max && setrlimit(RLIMIT_NOFILE, &raised) == 0) {
      moved = copyAbove(fd, lowest);
      setrlimit(RLIMIT_NOFILE, &limit);
    }
  }
  if (fd >= 0)
    close(fd);
  return moved;
}

/// Asks the kernel itself: a program may have a function of its own in fstat's place. Where that is
/// not allowed nothing is known against it.
bool isStillOwn(int fd) {
  struct statx status{};
  if (fd < 0 || syscall(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_TYPE, &status) != 0)
    return fd >= 0 && errno != EBADF;
  return (status.stx_mode & S_IFMT) == 0;
}

namespace {

/// Makes the kernel's table of descriptors long enough before there is a second thread: with several,
/// the kernel waits 10 to 50 ms (synchronize_rcu) before it uses a longer one.
__attribute__((constructor)) void lengthenTable() {
  const int there = moveAboveTheProgram(open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (there >= 0)
    close(there);
}

} // namespace
} // namespace forerun

// SPDX-License-Identifier: Apache-2.0
#include "base/WhichFile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace forerun {

static WhichFile ask(int directory, const char *path, int flags) {
  struct statx now{};
  if (::syscall(SYS_statx, directory, path, flags, STATX_INO | STATX_BTIME, &now) != 0)
    return {};
  return {.device = std::uint64_t{now.stx_dev_major} << 32 | now.stx_dev_minor,
          .inode = now.stx_ino,
          .birthSeconds = now.stx_btime.tv_sec,
          .birthNanoseconds = now.stx_btime.tv_nsec};
}

WhichFile whichFile(int fd) { return ask(fd, "", AT_EMPTY_PATH); }

WhichFile whichFile(const char *path) { return ask(AT_FDCWD, path, 0); }

} // namespace forerun

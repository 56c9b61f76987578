// SPDX-License-Identifier: Apache-2.0
#include "base/OnePath.h"

#include "forerun/Cache.h"

#include <array>
#include <climits>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace forerun {

namespace {

/// Empty if unknown, or longer than the system tells in full.
std::string pathNow(int fd) {
  std::array<char, PATH_MAX> path{};
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  const ssize_t length = readlink(link.c_str(), path.data(), path.size());
  if (length <= 0 || static_cast<std::size_t>(length) == path.size())
    return {};
  return {path.data(), static_cast<std::size_t>(length)};
}

} // namespace

bool haveOnePath(int fd, int other) {
  // The system's mark of a path that leads nowhere any more. A new file can have it, and a file may
  // end in these words: then its second handle has no cache.
  constexpr std::string_view kDeleted = " (deleted)";
  const std::string path = pathNow(fd);
  return !path.empty() && !path.ends_with(kDeleted) && path == pathNow(other);
}

bool identify(const FileSource &source, FileIdentity &identity, forerun_rc &rc) {
  rc = FORERUN_OK;
  if (source.fd < 0) {
    identity = {source.fileSystemId, source.fileId, source.fileSystem};
    return true;
  }
  struct stat status{};
  rc = fstat(source.fd, &status) != 0 ? FORERUN_ERR_ARGUMENT
       : !S_ISREG(status.st_mode)     ? FORERUN_ERR_UNSUPPORTED
                                      : FORERUN_OK;
  identity = {.device = status.st_dev, .inode = status.st_ino, .fileSystem = {}};
  return rc == FORERUN_OK;
}

} // namespace forerun

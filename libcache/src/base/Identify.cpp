// SPDX-License-Identifier: Apache-2.0
#include "forerun/Cache.h"

#include <sys/stat.h>

namespace forerun {

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

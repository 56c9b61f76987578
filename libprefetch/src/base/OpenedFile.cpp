// SPDX-License-Identifier: Apache-2.0
#include "base/OpenedFile.h"

namespace forerun {

/// Opens nothing: closing a descriptor of a file releases the locks that the program has on it.
bool OpenedFile::lookUp(struct stat &status) const {
  if (fd >= 0)
    return ::fstat(fd, &status) == 0;
  return path != nullptr && isStill(whichFile(path)) && ::stat(path, &status) == 0;
}

} // namespace forerun

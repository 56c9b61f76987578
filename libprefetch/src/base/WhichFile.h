// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_WHICHFILE_H
#define FORERUN_WHICHFILE_H

#include <cstdint>

namespace forerun {

/// Which file a descriptor or a name stands for: a name may be another file's a moment later, and so may the
/// number of a deleted one, but not with the same time of birth (zero where the file system keeps
/// none).
struct WhichFile {
  std::uint64_t device = 0, inode = 0; ///< inode 0: not known
  std::int64_t birthSeconds = 0;
  std::uint32_t birthNanoseconds = 0;

  bool isKnown() const { return inode != 0; }
  bool operator==(const WhichFile &) const = default;
};

/// By a system call alone, that leaves errno as it is where it succeeds. Any thread.
WhichFile whichFile(int fd);
WhichFile whichFile(const char *path);

} // namespace forerun

#endif

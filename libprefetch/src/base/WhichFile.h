// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace forerun {

/// Identifies the file behind a descriptor or a name. A name may belong to another file a moment
/// later, and so may the number of a deleted file, but not with the same birth time (zero where the
/// file system keeps none).
struct WhichFile {
  std::uint64_t device = 0, inode = 0; ///< inode 0: unknown
  std::int64_t birthSeconds = 0;
  std::uint32_t birthNanoseconds = 0;

  bool isKnown() const { return inode != 0; }
  bool operator==(const WhichFile &) const = default;
};

/// By a system call alone, which leaves errno unchanged if it succeeds. Any thread.
WhichFile whichFile(int fd);
WhichFile whichFile(const char *path);

} // namespace forerun

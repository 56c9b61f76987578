// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Whether two descriptors with one device and inode number refer to one file. The numbers alone do
/// not tell: some file systems give every file the same number, or join several devices. Sizes and
/// times do not tell either, for such a file system may not have any. The path that the system
/// itself keeps of an open file does: it is not the one that the file was opened by, so symbolic
/// links, spellings and a file moved in between make no difference.
///
/// Threads: any.

namespace forerun {

/// False if it is uncertain: hard links, mounts of one file system in two places, a file that has
/// been deleted, a system that does not tell paths.
bool haveOnePath(int fd, int other);

} // namespace forerun

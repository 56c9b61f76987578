// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_ONEPATH_H
#define FORERUN_ONEPATH_H

/// \file
/// Whether two descriptors of one device and inode number are of one file. The numbers alone do not
/// tell: there are file systems that give every file the same one, or that join several devices.
/// Sizes and times do not tell either, for such a file system may not have any. The path does that
/// the system itself keeps of an open file: not the one that it was opened by, so that symbolic
/// links, spellings and a file that was moved in between make no difference.
///
/// Threads: any.

namespace forerun {

/// False where it is not certain: hard links, mounts of one file system in two places, a file that
/// has been deleted, a system that does not tell paths.
bool haveOnePath(int fd, int other);

} // namespace forerun

#endif

// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_TESTBED_MOUNTS_H
#define FORERUN_TESTBED_MOUNTS_H

#include <optional>
#include <string>
#include <vector>

/// \file
/// The beds that are mounted, from the kernel's own list: the mount's source names the daemon's
/// process ("forerun-testbed:1234"), so that nothing has to be kept in files, and a daemon that
/// died or hangs is found all the same.

namespace forerun::testbed {

struct Mount {
  std::string point;
  int pid = 0; ///< 0: something else than a test bed is mounted there
};

/// The topmost mount at \p point.
std::optional<Mount> mountAt(const std::string &point);
std::vector<Mount> mountedBeds();

/// Parses one line of /proc/self/mountinfo.
std::optional<Mount> parseMountInfo(const std::string &line);

/// The daemon of \p bed still runs (and is one: process ids are used again).
bool daemonRuns(const Mount &bed);

/// Unmounts, lazily if it must; with fusermount3 where we are not root. Returns false if it is
/// still mounted.
bool unmount(const std::string &point);

inline constexpr const char *kProgramName = "forerun-testbed";

} // namespace forerun::testbed

#endif

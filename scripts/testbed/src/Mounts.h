// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

/// \file
/// The beds that are mounted, from the kernel's own list: the mount's source names the daemon's
/// process ("forerun-testbed:1234"), so that no state has to be kept in files, and even a daemon
/// that died or hangs is found.

namespace forerun::testbed {

struct Mount {
  std::string point;
  int pid = 0; ///< 0: something other than a test bed is mounted there
};

/// The topmost mount at \p point.
std::optional<Mount> mountAt(const std::string &point);
std::vector<Mount> mountedBeds();

/// Parses one line of /proc/self/mountinfo.
std::optional<Mount> parseMountInfo(const std::string &line);

/// True if the daemon of \p bed is still running (and is one: process ids are reused).
bool daemonRuns(const Mount &bed);

/// Unmounts, lazily if necessary, with fusermount3 if we are not root. Returns false if it is still
/// mounted.
bool unmount(const std::string &point);

inline constexpr const char *kProgramName = "forerun-testbed";

} // namespace forerun::testbed

// SPDX-License-Identifier: Apache-2.0
#include "Mounts.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace forerun::testbed {
namespace {

/// The mount of a line; a point of "" if there is none.
Mount parsed(const std::string &line) { return parseMountInfo(line).value_or(Mount{"", -1}); }

TEST(Mounts, ABedIsKnownByTypeAndSourceWhichNamesItsDaemon) {
  const Mount mount = parsed("36 35 0:50 / /mnt/bed rw,nosuid - fuse.forerun-testbed "
                             "forerun-testbed:1234 rw,user_id=0");
  EXPECT_EQ(mount.point, "/mnt/bed");
  EXPECT_EQ(mount.pid, 1234);
}

TEST(Mounts, OptionalFieldsAndEscapedBlanksAreUnderstood) {
  const Mount mount = parsed("36 35 0:50 / /mnt/a\\040b rw shared:1 master:2 - "
                             "fuse.forerun-testbed forerun-testbed:7 rw");
  EXPECT_EQ(mount.point, "/mnt/a b");
  EXPECT_EQ(mount.pid, 7);
}

TEST(Mounts, OtherFileSystemsAreNoBeds) {
  const Mount mount = parsed("24 1 254:0 / / rw - ext4 /dev/vda rw");
  EXPECT_EQ(mount.pid, 0);
}

TEST(Mounts, AForeignProcessIsNoDaemonOfOurs) { EXPECT_FALSE(daemonRuns(Mount{"/mnt", getpid()})); }

} // namespace
} // namespace forerun::testbed

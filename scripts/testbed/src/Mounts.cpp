// SPDX-License-Identifier: Apache-2.0
#include "Mounts.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

namespace forerun::testbed {

namespace {

/// mountinfo writes blanks and similar characters as \040.
std::string unescape(const std::string &text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      plain += static_cast<char>(std::strtol(text.substr(i + 1, 3).c_str(), nullptr, 8));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

std::vector<Mount> allMounts() {
  std::vector<Mount> mounts;
  std::ifstream list("/proc/self/mountinfo");
  for (std::string line; std::getline(list, line);)
    if (auto mount = parseMountInfo(line))
      mounts.push_back(*mount);
  return mounts;
}

/// fusermount3 may unmount what this user mounted.
void runFusermount(const std::string &point) {
  const pid_t child = fork();
  if (child == 0) {
    execlp("fusermount3", "fusermount3", "-u", "-z", "-q", point.c_str(), nullptr);
    _exit(127);
  }
  if (child > 0)
    waitpid(child, nullptr, 0);
}

} // namespace

std::optional<Mount> parseMountInfo(const std::string &line) {
  std::istringstream words(line);
  std::string skipped, point, word, type, source;
  words >> skipped >> skipped >> skipped >> skipped >> point;
  while (words >> word && word != "-") {
  }
  if (!(words >> type >> source))
    return std::nullopt;
  Mount mount{unescape(point), 0};
  const std::string prefix = std::string(kProgramName) + ":";
  if (type == std::string("fuse.") + kProgramName && source.rfind(prefix, 0) == 0)
    mount.pid = std::atoi(source.c_str() + prefix.size());
  return mount;
}

std::optional<Mount> mountAt(const std::string &point) {
  std::optional<Mount> found;
  for (const Mount &mount : allMounts())
    if (mount.point == point)
      found = mount;
  return found;
}

std::vector<Mount> mountedBeds() {
  std::vector<Mount> beds;
  for (const Mount &mount : allMounts())
    if (mount.pid > 0)
      beds.push_back(mount);
  return beds;
}

bool daemonRuns(const Mount &bed) {
  std::ifstream file("/proc/" + std::to_string(bed.pid) + "/stat");
  std::string stat; // "1234 (forerun-testbed) S ..."
  const std::string expected = std::string("(") + kProgramName + ") ";
  const std::size_t name = std::getline(file, stat) ? stat.find(expected) : std::string::npos;
  const bool zombie = name != std::string::npos && stat[name + expected.size()] == 'Z';
  return bed.pid > 0 && name != std::string::npos && !zombie;
}

bool unmount(const std::string &point) {
  if (umount2(point.c_str(), MNT_DETACH) != 0)
    runFusermount(point);
  return !mountAt(point).has_value();
}

} // namespace forerun::testbed

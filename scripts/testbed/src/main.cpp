// SPDX-License-Identifier: Apache-2.0
// forerun-testbed: start, stop and status of slow storage that follows a timing model.
#include "Bed.h"
#include "Daemon.h"
#include "Mounts.h"
#include "Settings.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>
#include <unistd.h>

using namespace forerun::testbed;

namespace {

int complain(const std::string &message) {
  std::cerr << kProgramName << ": " << message << '\n';
  return 1;
}

std::string controlFileText(const std::string &mountPoint) {
  std::ostringstream text;
  text << std::ifstream(mountPoint + "/" + kControlName).rdbuf();
  return text.str();
}

bool runsAsAsked(const Settings &settings) {
  const std::string text = controlFileText(settings.mountPoint);
  return text.find("backing " + settings.backing + "\n") != std::string::npos &&
         text.find("model " + describe(settings.timing, settings.kernelCache) + "\n") !=
             std::string::npos;
}

bool waitForEnd(const Mount &bed, std::chrono::seconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (daemonRuns(bed)) {
    if (std::chrono::steady_clock::now() > deadline)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  return true;
}

/// Unmounts, and ends the daemon, by its process id if it does not end by itself.
int stopBed(const Mount &bed) {
  const bool gone = unmount(bed.point);
  for (const int signal : {0, SIGTERM, SIGKILL}) {
    if (signal != 0 && daemonRuns(bed))
      kill(bed.pid, signal);
    if (waitForEnd(bed, std::chrono::seconds{2}))
      break;
  }
  return gone ? 0 : complain("cannot unmount " + bed.point);
}

int start(const Settings &settings) {
  namespace fs = std::filesystem;
  if (access("/dev/fuse", F_OK) != 0)
    return complain("no FUSE here: /dev/fuse is missing");
  if (const auto mount = mountAt(settings.mountPoint)) {
    if (mount->pid == 0)
      return complain("something else is mounted at " + settings.mountPoint);
    if (daemonRuns(*mount)) {
      if (!runsAsAsked(settings))
        return complain("another test bed is mounted at " + settings.mountPoint +
                        "; stop it first");
      std::cout << "already running at " << settings.mountPoint << '\n';
      return 0;
    }
    std::cerr << kProgramName << ": removing the mount of a daemon that died\n";
    if (const int failed = stopBed(*mount))
      return failed;
  }
  for (const std::string &directory : {settings.backing, settings.mountPoint})
    if (std::error_code error; !fs::is_directory(directory, error))
      return complain("no such directory: " + directory);
  if (settings.backing == settings.mountPoint)
    return complain("the backing directory and the mount point are the same");
  if (const std::string failure = startDaemon(settings); !failure.empty())
    return complain(failure);
  return 0;
}

int stop(const Settings &settings) {
  const auto mount = mountAt(settings.mountPoint);
  if (!mount)
    return complain("no test bed at " + settings.mountPoint);
  if (mount->pid == 0)
    return complain("what is mounted at " + settings.mountPoint + " is not a test bed");
  return stopBed(*mount);
}

int status(const Settings &settings) {
  bool found = false;
  for (const Mount &bed : mountedBeds()) {
    if (!settings.mountPoint.empty() && bed.point != settings.mountPoint)
      continue;
    found = true;
    std::cout << "mount " << bed.point << '\n'
              << (daemonRuns(bed) ? controlFileText(bed.point) : "its daemon is dead\n");
  }
  if (!found && !settings.mountPoint.empty())
    return complain("no test bed at " + settings.mountPoint);
  return 0;
}

int run(const Settings &settings) {
  switch (settings.verb) {
  case Verb::Start:
    return start(settings);
  case Verb::Stop:
    return stop(settings);
  case Verb::Status:
    return status(settings);
  case Verb::Help:
    std::cout << kUsage;
    return 0;
  case Verb::Version:
    std::cout << kProgramName << " (Forerun) " FORERUN_VERSION "\n";
    return 0;
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  std::string error;
  const auto settings = parseSettings({argv + 1, argv + argc}, error);
  if (!settings)
    return complain(error + " (--help for help)") + 1;
  const int status = run(*settings);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    return complain(std::string("cannot write the output: ") + std::strerror(errno));
  return status;
}

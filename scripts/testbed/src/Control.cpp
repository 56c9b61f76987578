// SPDX-License-Identifier: Apache-2.0
#include "Bed.h"

#include <cerrno>
#include <ctime>
#include <sstream>
#include <unistd.h>

namespace forerun::testbed {

namespace {

double processorSeconds() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

} // namespace

std::string controlText(const Bed &bed) {
  std::ostringstream text;
  text << "pid " << getpid() << '\n'
       << "backing " << bed.settings.backing << '\n'
       << "model " << describe(bed.settings.timing, bed.settings.kernelCache) << '\n'
       << "reads " << bed.counters.reads << '\n'
       << "read_bytes " << bed.counters.readBytes << '\n'
       << "writes " << bed.counters.writes << '\n'
       << "write_bytes " << bed.counters.writeBytes << '\n'
       << "most_in_flight " << bed.counters.maxInFlight << '\n'
       << "cpu_seconds " << processorSeconds() << '\n'
       << bed.faults.describe();
  return text.str();
}

int controlCommand(Bed &bed, std::string_view text) {
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);)
    if (!bed.faults.command(line).empty())
      return EINVAL;
  return 0;
}

} // namespace forerun::testbed

// SPDX-License-Identifier: Apache-2.0
#include "base/Cores.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <sched.h>

namespace forerun {

std::optional<int> processesOnNode() {
  const char *const processes = secure_getenv("MPI_LOCALNRANKS");
  int count = 0;
  if (processes == nullptr ||
      std::from_chars(processes, processes + std::strlen(processes), count).ptr == processes)
    return std::nullopt;
  return count;
}

bool areCoresToSpare() {
  const std::optional<int> count = processesOnNode();
  cpu_set_t cores;
  return count && sched_getaffinity(0, sizeof cores, &cores) == 0 && CPU_COUNT(&cores) > *count;
}

} // namespace forerun
